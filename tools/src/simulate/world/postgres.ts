import { setTimeout as wait } from 'node:timers/promises';
import { startLocalPostgres, type LocalPostgres } from '@roundhouse/local-postgres';
import { readPosition } from '@roundhouse/storage';
import pg from 'pg';
import { Clock } from './clock.js';
import { fakeTimeOf, findFakeTime } from './faketime.js';

/**
 * The data need not survive a crash of the machine, so nothing waits for the disk. A killed server loses nothing by
 * this.
 */
const SETTINGS = { fsync: 'off', max_connections: 200 };

const ANSWERS_WITHIN_MS = 60_000;

const PATIENCE = { connectionTimeoutMillis: 2_000, query_timeout: 2_000 };

/** The URL of another database of the same server. */
export const withDatabase = (url: string, name: string): string => {
  const other = new URL(url);
  other.pathname = `/${name}`;
  return other.href;
};

/** A real server that is stopped, crashed and restarted on the same port. */
export class Postgres {
  private server: LocalPostgres | null = null;
  private readonly clock: Clock;

  /** `clockFile`: the file that sets its clock. */
  constructor(
    private readonly directory: string,
    private readonly port: number,
    clockFile: string,
  ) {
    this.clock = new Clock(clockFile);
  }

  /** The folder of its data; it may differ from the requested one. */
  get dataDirectory(): string {
    return this.server?.directory ?? this.directory;
  }

  get url(): string {
    if (this.server === null) throw new Error('PostgreSQL is not running.');
    return this.server.url;
  }

  async start(): Promise<void> {
    const { directory, port, clock } = this;
    const library = findFakeTime();
    const environment = library === null ? {} : fakeTimeOf(library, clock.file);
    this.server = await startLocalPostgres({ directory, port, settings: SETTINGS, environment });
  }

  /** Sets the offset of its clock in seconds; does nothing without libfaketime. */
  setClock(seconds: number): void {
    this.clock.set(seconds);
  }

  async stop(shutdown: 'fast' | 'immediate' = 'fast'): Promise<void> {
    await this.server?.stop(shutdown);
  }

  /** Ends all other sessions, as an administrator or a proxy may. Does nothing if the server is down. */
  async endSessions(): Promise<void> {
    const sessions = `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
      WHERE pid <> pg_backend_pid() AND backend_type = 'client backend'`;
    await this.query(sessions).catch(() => undefined);
  }

  /** The id of the newest event of kind fork, or null. Waits for a server that is down. */
  async newestFork(): Promise<string | null> {
    const sql = `SELECT max(sequence)::text AS id FROM events WHERE kind = 'fork'`;
    const deadline = performance.now() + ANSWERS_WITHIN_MS;
    for (;;) {
      try {
        const [row] = await this.ask<{ readonly id: string | null }>(this.url, sql);
        return row?.id ?? null;
      } catch (error) {
        if (performance.now() > deadline) throw error;
        await wait(200);
      }
    }
  }

  /** The id of the index's head; null if there is none, or if the server does not answer. */
  async headId(): Promise<string | null> {
    const client = new pg.Client({ connectionString: this.url, ...PATIENCE });
    client.on('error', () => undefined);
    try {
      await client.connect();
      return (await readPosition(client)).head?.id ?? null;
    } catch {
      return null;
    } finally {
      void client.end().catch(() => undefined);
    }
  }

  async query(sql: string): Promise<void> {
    await this.ask(withDatabase(this.url, 'postgres'), sql);
  }

  private async ask<Row extends pg.QueryResultRow>(url: string, sql: string): Promise<readonly Row[]> {
    const client = new pg.Client({ connectionString: url });
    // If the server is stopped meanwhile, the query fails too.
    client.on('error', () => undefined);
    await client.connect();
    try {
      return (await client.query<Row>(sql)).rows;
    } finally {
      await client.end();
    }
  }
}
