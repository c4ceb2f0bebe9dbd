import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startLocalPostgres, type LocalPostgres } from '@roundhouse/local-postgres';
import pg from 'pg';

/**
 * Settings of a modest real server. Durability is PostgreSQL's default (fsync, synchronous commits) for all
 * contestants.
 */
export const SERVER_SETTINGS = {
  shared_buffers: '512MB',
  max_wal_size: '4GB',
  checkpoint_timeout: '15min',
  maintenance_work_mem: '256MB',
} as const;

/** The benchmark's own PostgreSQL, removed at its end. */
export class BenchServer {
  private count = 0;

  private constructor(
    private readonly postgres: LocalPostgres,
    private readonly folder: string,
  ) {}

  static async start(): Promise<BenchServer> {
    const folder = mkdtempSync(join(tmpdir(), 'roundhouse-bench-'));
    const postgres = await startLocalPostgres({ directory: folder, settings: SERVER_SETTINGS });
    return new BenchServer(postgres, folder);
  }

  /** Creates an empty database, after writing the memory of earlier runs to disk. */
  async createDatabase(): Promise<string> {
    const name = `bench_${(this.count += 1)}`;
    await this.admin([`CREATE DATABASE ${name}`, 'CHECKPOINT']);
    const url = new URL(this.postgres.url);
    url.pathname = `/${name}`;
    return url.href;
  }

  async dropDatabase(url: string): Promise<void> {
    await this.admin([`DROP DATABASE ${new URL(url).pathname.slice(1)} WITH (FORCE)`]);
  }

  async stop(): Promise<void> {
    await this.postgres.stop();
    rmSync(this.folder, { recursive: true, force: true });
    if (this.postgres.directory !== this.folder)
      rmSync(this.postgres.directory, { recursive: true, force: true });
  }

  private async admin(statements: readonly string[]): Promise<void> {
    const client = new pg.Client({ connectionString: this.postgres.url });
    await client.connect();
    try {
      for (const statement of statements) await client.query(statement);
    } finally {
      await client.end();
    }
  }
}
