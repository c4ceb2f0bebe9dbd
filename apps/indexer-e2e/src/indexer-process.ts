import { AppProcess, eventually, type Ended } from '@roundhouse/testing';

export type { Ended };

type Environment = Readonly<Record<string, string>>;

/** An indexer takes any free port and looks for new blocks often, unless the test sets otherwise. */
export const TEST_SETTINGS = { OPS_PORT: '0', POLL_INTERVAL_MS: '100' };

/** `indexer <command>` as a process. */
export class IndexerProcess extends AppProcess {
  constructor(command: readonly string[], environment: Environment, stdout: 'pipe' | number = 'pipe') {
    super('indexer', command, { ...TEST_SETTINGS, ...environment }, stdout);
  }

  /** The URL of its internal port. */
  async operationsUrl(): Promise<string> {
    return (await this.says(/"operations":"([^"]+)"/))[1]!;
  }

  /** Waits until it is ready; fails if the process ends first. */
  async untilReady(): Promise<void> {
    await this.answers(`${await this.operationsUrl()}/health/ready`);
  }

  async untilUnready(): Promise<void> {
    const url = await this.operationsUrl();
    await eventually('it is unready', async () => (await fetch(`${url}/health/ready`)).status === 503);
  }

  /** Waits until it writes the index, or no longer does. */
  async untilLeading(isLeading = true): Promise<void> {
    const url = await this.operationsUrl();
    const expected = `\nroundhouse_leads ${Number(isLeading)}\n`;
    await eventually(expected.trim(), async () =>
      (await (await fetch(`${url}/metrics`)).text()).includes(expected),
    );
  }
}

/** Runs a command to its end. */
export const indexer = (command: readonly string[], environment: Environment): Promise<Ended> =>
  new IndexerProcess(command, environment).ended;
