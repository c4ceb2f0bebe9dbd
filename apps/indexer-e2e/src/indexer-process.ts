import { AppProcess, eventually, type Ended } from '@roundhouse/testing';

export type { Ended };

type Environment = Readonly<Record<string, string>>;

/** An indexer takes any free port and looks for new blocks often, unless the test sets otherwise. */
export const TEST_SETTINGS = { OPS_PORT: '0', POLL_INTERVAL_MS: '100' };

/** `indexer <command>` as a process. Its state can be asked for only if the test sets OPS_PORT. */
export class IndexerProcess extends AppProcess {
  constructor(
    command: readonly string[],
    private readonly environment: Environment,
    stdout?: number,
  ) {
    super('indexer', command, { ...TEST_SETTINGS, ...environment }, { stdout });
  }

  /** The URL of its internal port. */
  get operationsUrl(): string {
    return `http://127.0.0.1:${this.environment['OPS_PORT']}`;
  }

  /** Waits until it is ready; fails if the process ends first. */
  async untilReady(): Promise<void> {
    await this.answers(`${this.operationsUrl}/health/ready`);
  }

  async untilUnready(): Promise<void> {
    const url = `${this.operationsUrl}/health/ready`;
    await eventually('it is unready', async () => (await fetch(url)).status === 503);
  }

  /** Waits until it writes the index, or no longer does. */
  async untilLeading(isLeading = true): Promise<void> {
    const expected = `\nroundhouse_leads ${Number(isLeading)}\n`;
    await eventually(expected.trim(), async () =>
      (await (await fetch(`${this.operationsUrl}/metrics`)).text()).includes(expected),
    );
  }
}

/** Runs a command to its end. */
export const indexer = (command: readonly string[], environment: Environment): Promise<Ended> =>
  new IndexerProcess(command, environment).ended;
