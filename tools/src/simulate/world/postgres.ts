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
    await this.server?.administer(sessions).catch(() => undefined);
  }

  /** The id of the newest event of kind fork, or null. Waits for a server that is down. */
  async newestFork(): Promise<string | null> {
    const sql = `SELECT max(sequence)::text AS id FROM events WHERE kind = 'fork'`;
    const deadline = performance.now() + ANSWERS_WITHIN_MS;
    for (;;) {
      try {
        const { rows } = await this.ask((client) => client.query<{ readonly id: string | null }>(sql));
        return rows[0]?.id ?? null;
      } catch (error) {
        if (performance.now() > deadline) throw error;
        await wait(200);
      }
    }
  }

  /** The id of the index's head; null if there is none, or if the server does not answer. */
  headId(): Promise<string | null> {
    return this.ask(async (client) => (await readPosition(client)).head?.id ?? null, PATIENCE).catch(
      () => null,
    );
  }

  async administer(statement: string): Promise<void> {
    await this.server?.administer(statement);
  }

  private async ask<T>(work: (client: pg.Client) => Promise<T>, patience: pg.ClientConfig = {}): Promise<T> {
    const client = new pg.Client({ connectionString: this.url, ...patience });
    // If the server is stopped meanwhile, the query fails too.
    client.on('error', () => undefined);
    try {
      await client.connect();
      return await work(client);
    } finally {
      void client.end().catch(() => undefined);
    }
  }
}
