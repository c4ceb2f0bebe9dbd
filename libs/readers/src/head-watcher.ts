import { sessionOptions } from '@roundhouse/entities';
import pg from 'pg';
import { ChainStateReader, type ChainState } from './chain-state.reader.js';
import { DatabaseUnavailableError } from './errors.js';
import { patientPool } from './at-head.js';
import type { PoolOptions } from './pools.js';

/** Well under a second, so that one slow or lost reading leaves time for another. */
const POLL_MS = 400;
const TIMEOUT_MS = 1000;

/** The sessions of a pooler cannot listen. */
interface HeadWatcherOptions extends Pick<PoolOptions, 'applicationName' | 'isPooled'> {
  readonly connectionString: string;
  /** How often the head is read without a notification. (Default: 400) */
  readonly pollMs?: number;
  /** `startedAt` is `performance.now()` from before the reading began: the state is no older than that. */
  readonly onState: (state: ChainState, startedAt: number) => void;
  /** Called for each failed reading. */
  readonly onError: (error: Error) => void;
}

/**
 * Reads the head over its own connection, so that no slow query delays it. It reads several times a second, and also at
 * every notification. Notifications are only hints: the regular readings are what counts. A lost connection is replaced at
 * the next reading.
 */
export class HeadWatcher {
  private connection: { readonly client: pg.Client; readonly reader: ChainStateReader } | null = null;
  private timer: NodeJS.Timeout | undefined;
  private running: Promise<void> | null = null;
  private queued: Promise<void> | null = null;
  private isStopped = false;

  constructor(private readonly options: HeadWatcherOptions) {}

  /** Resolves after the first reading, successful or not. */
  async start(): Promise<void> {
    await this.refresh().catch(() => undefined);
    if (!this.isStopped) this.timer = setTimeout(() => void this.start(), this.options.pollMs ?? POLL_MS);
  }

  async stop(): Promise<void> {
    this.isStopped = true;
    clearTimeout(this.timer);
    await this.running?.catch(() => undefined);
    await this.disconnect();
  }

  /**
   * Resolves after a reading that began after this call; concurrent callers share one. Throws
   * `DatabaseUnavailableError`.
   */
  refresh(): Promise<void> {
    if (!this.running) return (this.running = this.read().finally(() => (this.running = null)));
    const again = (): Promise<void> => {
      this.queued = null;
      return this.refresh();
    };
    return (this.queued ??= this.running.then(again, again));
  }

  private async read(): Promise<void> {
    const startedAt = performance.now();
    try {
      if (this.isStopped) throw new Error('the watcher is stopped');
      const { reader } = (this.connection ??= await this.connect());
      this.options.onState(await reader.readChainState(), startedAt);
    } catch (error) {
      await this.disconnect();
      const unavailable = new DatabaseUnavailableError(error as Error);
      if (!this.isStopped) this.options.onError(unavailable);
      throw unavailable;
    }
  }

  private async connect() {
    const { connectionString, applicationName, isPooled = false } = this.options;
    const client = new pg.Client({
      connectionString,
      application_name: applicationName,
      connectionTimeoutMillis: TIMEOUT_MS,
      query_timeout: TIMEOUT_MS,
      ...(isPooled ? {} : { options: sessionOptions() }),
      keepAlive: true,
    });
    // Without a listener, a lost connection would end the process; the next reading notices it.
    client.on('error', () => undefined);
    client.on('end', () => {
      if (this.connection?.client === client) this.connection = null;
    });
    client.on('notification', () => void this.refresh().catch(() => undefined));
    await client.connect();
    // A replica cannot listen, so only the regular readings see its changes.
    if (!isPooled) await client.query('LISTEN head').catch(() => undefined);
    return { client, reader: new ChainStateReader(patientPool(client, isPooled)) };
  }

  private async disconnect(): Promise<void> {
    const client = this.connection?.client;
    this.connection = null;
    await client?.end().catch(() => undefined);
  }
}
