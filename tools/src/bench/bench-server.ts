import { startLocalPostgres, withDatabase, type LocalPostgres } from '@roundhouse/local-postgres';

/**
 * Settings of a modest real server. Durability is PostgreSQL's default (fsync, synchronous commits) for all
 * contestants.
 */
const SERVER_SETTINGS = {
  shared_buffers: '512MB',
  max_wal_size: '4GB',
  checkpoint_timeout: '15min',
  maintenance_work_mem: '256MB',
} as const;

/** The benchmark's own PostgreSQL, removed at its end. */
export class BenchServer {
  private count = 0;

  private constructor(private readonly postgres: LocalPostgres) {}

  static async start(): Promise<BenchServer> {
    return new BenchServer(await startLocalPostgres({ settings: SERVER_SETTINGS }));
  }

  /** Creates an empty database, after writing the memory of earlier runs to disk. */
  async createDatabase(): Promise<string> {
    const name = `bench_${(this.count += 1)}`;
    await this.postgres.administer(`CREATE DATABASE ${name}`, 'CHECKPOINT');
    return withDatabase(this.postgres.url, name);
  }

  async dropDatabase(url: string): Promise<void> {
    await this.postgres.administer(`DROP DATABASE ${new URL(url).pathname.slice(1)} WITH (FORCE)`);
  }

  async stop(): Promise<void> {
    await this.postgres.remove();
  }
}
