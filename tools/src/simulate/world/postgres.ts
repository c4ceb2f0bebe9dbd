import { startLocalPostgres, type LocalPostgres } from '@roundhouse/local-postgres';
import { readPosition } from '@roundhouse/storage';
import { eventually } from '@roundhouse/testing';
import pg from 'pg';
import { Clock } from './clock.js';
import { fakeTimeOf, findFakeTime } from './faketime.js';

/**
 * The data need not survive a crash of the machine, so nothing waits for the disk. A killed server loses nothing by
 * this.
 */
const SETTINGS = { fsync: 'off', max_connections: 200, search_path: 'roundhouse,public' };

const PATIENCE = { connectionTimeoutMillis: 2_000, query_timeout: 2_000 };

const SELECT_NEWEST_FORK = `SELECT max(sequence)::text AS id FROM events WHERE kind = 'fork'`;
const END_SESSIONS = `
SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE pid <> pg_backend_pid() AND backend_type = 'client backend'`;

/** A real server that is stopped, crashed and restarted on the same port. */
export class Postgres {
  private server!: LocalPostgres;
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

  stop(shutdown: 'fast' | 'immediate' = 'fast'): Promise<void> {
    return this.server.stop(shutdown);
  }

  /** Ends all other sessions, as an administrator or a proxy may. Does nothing if the server is down. */
  async endSessions(): Promise<void> {
    await this.administer(END_SESSIONS).catch(() => undefined);
  }

  /** The id of the newest event of kind fork, or null. Waits for a server that is down. */
  async newestFork(): Promise<string | null> {
    let newest: string | null = null;
    await eventually('PostgreSQL tells the newest fork', async () => {
      const { rows } = await this.ask((client) => client.query<{ id: string | null }>(SELECT_NEWEST_FORK));
      newest = rows[0]!.id;
      return true;
    });
    return newest;
  }

  /** The id of the index's head; null if there is none, or if the server does not answer. */
  headId(): Promise<string | null> {
    return this.ask(async (client) => (await readPosition(client)).head?.id ?? null, PATIENCE).catch(
      () => null,
    );
  }

  administer(statement: string): Promise<void> {
    return this.server.administer(statement);
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
