import { apiSettings, createApiApp, type RunningApi } from '@roundhouse/api';
import { readSettings } from '@roundhouse/config';
import { indexerSettings, startIndexer, type RunningIndexer } from '@roundhouse/indexer';
import { createBlockSource } from '@roundhouse/source';
import { createIndexerDatabase, eventually, type TestDatabase } from '@roundhouse/testing';
import { pino } from 'pino';

/** An indexer and an api on one database. */
export class DisturbedStack {
  private constructor(
    private readonly database: TestDatabase,
    readonly api: RunningApi,
    private readonly indexer: RunningIndexer,
  ) {}

  static async start(nodeUrl: string): Promise<DisturbedStack> {
    const database = await createIndexerDatabase();
    const common = { DATABASE_URL: database.url, OPS_PORT: '0' };
    const indexer = await startIndexer(
      readSettings(indexerSettings, { ...common, BLOCK_SOURCE: nodeUrl, POLL_INTERVAL_MS: '100' }),
      pino({ level: 'silent' }),
      ({ BLOCK_SOURCE }, network, events) => createBlockSource({ urls: BLOCK_SOURCE, network, ...events }),
    );
    const api = await createApiApp(
      readSettings(apiSettings, { ...common, PORT: '0', CORE_V1_PORT: '0' }),
      pino({ level: 'silent' }),
    );
    return new DisturbedStack(database, api, indexer);
  }

  /** Waits until the api shows this block as its head; throws if the indexer halts before that. */
  async reach({ id }: { readonly id: string }): Promise<void> {
    let halted: Error | null = null;
    void this.indexer.halted.then((reason) => (halted = reason));
    await eventually(`block ${id} is the head`, async () => {
      if (halted) return true;
      const response = await fetch(`${this.api.url}/api/blocks/getHeight`);
      return ((await response.json()) as { id?: string }).id === id;
    });
    if (halted) throw halted as Error;
  }

  async stop(): Promise<void> {
    await this.api.close();
    await this.indexer.stop();
    await this.database.drop();
  }
}
