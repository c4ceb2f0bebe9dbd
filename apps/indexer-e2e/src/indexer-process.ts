import { AppProcess, type Ended } from '@roundhouse/testing';

export type { Ended };

type Environment = Readonly<Record<string, string>>;

/** An indexer takes any free port and looks for new blocks often, unless the test sets otherwise. */
export const TEST_SETTINGS = { OPS_PORT: '0', POLL_INTERVAL_MS: '100' };

/** `indexer <command>` as a process. */
export class IndexerProcess extends AppProcess {
  constructor(command: readonly string[], environment: Environment, stdout: 'pipe' | number = 'pipe') {
    super('indexer', command, { ...TEST_SETTINGS, ...environment }, stdout);
  }
}

/** Runs a command to its end. */
export const indexer = (command: readonly string[], environment: Environment): Promise<Ended> =>
  new IndexerProcess(command, environment).ended;
