import { startLocalPostgres, type LocalPostgres } from '@roundhouse/local-postgres';
import pg from 'pg';
import { Clock } from './clock.js';
import { fakeTimeOf, findFakeTime } from './faketime.js';

/** Nothing of it is to survive a crash of the machine, so nothing waits for the disk; a killed server loses nothing by it. */
const SETTINGS = { fsync: 'off', max_connections: 200 };

/** Another database of the same server. */
export const withDatabase = (url: string, name: string): string => {
  const other = new URL(url);
  other.pathname = `/${name}`;
  return other.href;
};

/** A real server that is stopped, crashed and started anew on the same port. */
export class Postgres {
  private server: LocalPostgres | null = null;
  private readonly clock: Clock;

  /** `clockFile` is where its clock is set. */
  constructor(
    private readonly directory: string,
    private readonly port: number,
    clockFile: string,
  ) {
    this.clock = new Clock(clockFile);
  }

  /** Where its data lies, which may be another place than was asked for. */
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

  /** By so many seconds it is off from now on; without libfaketime nothing happens. */
  setClock(seconds: number): void {
    this.clock.set(seconds);
  }

  async stop(shutdown: 'fast' | 'immediate' = 'fast'): Promise<void> {
    await this.server?.stop(shutdown);
  }

  /** Cuts off everybody else, as an administrator or a proxy may. Where the server is down, nobody is left to cut off. */
  async endSessions(): Promise<void> {
    const sessions = `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
      WHERE pid <> pg_backend_pid() AND backend_type = 'client backend'`;
    await this.query(sessions).catch(() => undefined);
  }

  async query(sql: string): Promise<void> {
    const client = new pg.Client({ connectionString: withDatabase(this.url, 'postgres') });
    // A server that is stopped under it tells the query, too.
    client.on('error', () => undefined);
    await client.connect();
    try {
      await client.query(sql);
    } finally {
      await client.end();
    }
  }
}
