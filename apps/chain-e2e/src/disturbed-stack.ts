import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { apiSettings, createApiApp, type RunningApi } from '@roundhouse/api';
import { readSettings } from '@roundhouse/config';
import { migrate } from '@roundhouse/entities';
import { indexerSettings, startIndexer, type RunningIndexer } from '@roundhouse/indexer';
import { migrateQueues } from '@roundhouse/jobs';
import { startLocalPostgres, type LocalPostgres } from '@roundhouse/local-postgres';
import { createBlockSource } from '@roundhouse/source';
import { eventually } from '@roundhouse/testing';
import { pino } from 'pino';

/** The data only has to survive the end of the server, not of the machine. */
const SETTINGS = { fsync: 'off' };

/** An indexer and an api on their own PostgreSQL, which stops and starts again while they run. */
export class DisturbedStack {
  private constructor(
    private readonly folder: string,
    private postgres: LocalPostgres,
    readonly api: RunningApi,
    private readonly indexer: RunningIndexer,
  ) {}

  static async start(nodeUrl: string): Promise<DisturbedStack> {
    const folder = await mkdtemp(join(tmpdir(), 'disturbed-'));
    const postgres = await startLocalPostgres({ directory: folder, settings: SETTINGS });
    await migrate(postgres.url);
    await migrateQueues(postgres.url);
    const common = { DATABASE_URL: postgres.url, OPS_PORT: '0' };
    const indexer = await startIndexer(
      readSettings(indexerSettings, { ...common, BLOCK_SOURCE: nodeUrl, POLL_INTERVAL_MS: '100' }),
      pino({ level: 'silent' }),
      ({ BLOCK_SOURCE }, network, events) => createBlockSource({ urls: BLOCK_SOURCE, network, ...events }),
    );
    const api = await createApiApp(
      readSettings(apiSettings, { ...common, PORT: '0' }),
      pino({ level: 'silent' }),
    );
    return new DisturbedStack(folder, postgres, api, indexer);
  }

  get databaseUrl(): string {
    return this.postgres.url;
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

  /** `immediate` stops PostgreSQL as a crash does. Waits until the api reports that it cannot answer. */
  async losePostgres(how: 'fast' | 'immediate'): Promise<void> {
    await this.postgres.stop(how);
    await eventually('the api cannot answer', async () => {
      const { status } = await fetch(`${this.api.url}/api/blocks/getHeight`);
      return status === 503;
    });
  }

  async findPostgres(): Promise<void> {
    const port = Number(new URL(this.postgres.url).port);
    this.postgres = await startLocalPostgres({ directory: this.folder, port, settings: SETTINGS });
  }

  async stop(): Promise<void> {
    await this.api.close();
    await this.indexer.stop();
    await this.postgres.stop();
    await rm(this.folder, { recursive: true, force: true });
  }
}
