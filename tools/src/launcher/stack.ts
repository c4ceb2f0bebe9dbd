import { join } from 'node:path';
import type { AppName, AppProcess } from './app-process.js';
import { startApp } from './app-process.js';
import { openDatabase, updateSchema } from './database.js';
import type { LauncherSettings } from './launcher.config.js';
import { endLeftovers, forgetStarted, noteStarted } from './leftovers.js';
import { assertPortIsFree } from './ports.js';
import { showCatchingUp, showPhase } from './screen.js';
import { askJson, waitFor } from './wait-for.js';

interface LoaderStatus {
  readonly loaded: boolean;
  readonly now: number;
  readonly blocksCount: number;
}

export interface StackOptions {
  readonly settings: LauncherSettings;
  /** Absolute. */
  readonly dataFolder: string;
  readonly environment: NodeJS.ProcessEnv;
}

/**
 * The programs and their order: database, schema, devnet, indexer, api. A phase that fails throws, and `stop` ends what
 * has been started until then, the last first.
 */
export class Stack {
  private readonly stops: (() => Promise<void>)[] = [];
  private readonly apps: AppProcess[] = [];

  constructor(private readonly options: StackOptions) {}

  /** Brings everything up until the index has caught up with its source; gives the api's address. */
  async start(signal: AbortSignal): Promise<string> {
    const { settings, dataFolder } = this.options;
    await endLeftovers(dataFolder);
    await this.assertPortsAreFree();
    const database = await openDatabase(settings.DATABASE_URL, dataFolder);
    this.stops.push(() => database.stop());
    signal.throwIfAborted();
    await updateSchema(database.url);
    const source = settings.BLOCK_SOURCE ?? (await this.startDevnet(signal));
    const indexer = this.startApp('indexer', {
      DATABASE_URL: database.url,
      BLOCK_SOURCE: source,
      OPS_PORT: String(settings.OPS_PORT + 1),
    });
    const api = this.startApp('api', { DATABASE_URL: database.url, OPS_PORT: String(settings.OPS_PORT) });
    const url = `http://${settings.HOST === undefined || settings.HOST === '0.0.0.0' ? '127.0.0.1' : settings.HOST}:${settings.PORT}`;
    const ask = (): Promise<LoaderStatus | null> => askJson<LoaderStatus>(`${url}/api/loader/status`, signal);
    await this.unlessEnded(waitFor(ask, signal), [indexer, api]);
    showPhase('api', url);
    showPhase('indexer', settings.REDIS_URL === undefined ? 'queues in PostgreSQL' : 'queues in Redis');
    await this.unlessEnded(this.watchCatchingUp(ask, signal), [indexer, api]);
    return url;
  }

  /** Settles only when one of the apps ends by itself: rejects with its sentence. */
  failure(): Promise<never> {
    return Promise.race(this.apps.map((app) => app.failure));
  }

  async stop(): Promise<void> {
    for (const stop of this.stops.splice(0).reverse()) await stop();
    forgetStarted(this.options.dataFolder);
  }

  private async assertPortsAreFree(): Promise<void> {
    const { settings } = this.options;
    await assertPortIsFree('PORT', settings.PORT, settings.HOST);
    if (settings.BLOCK_SOURCE === undefined) await assertPortIsFree('DEVNET_PORT', settings.DEVNET_PORT);
    await assertPortIsFree('OPS_PORT', settings.OPS_PORT);
    await assertPortIsFree('OPS_PORT', settings.OPS_PORT + 1);
  }

  private async startDevnet(signal: AbortSignal): Promise<string> {
    const { DEVNET_PORT } = this.options.settings;
    const devnet = this.startApp('devnet', {
      DATA_DIR: this.options.dataFolder,
      DEVNET_PORT: String(DEVNET_PORT),
    });
    const url = `http://127.0.0.1:${DEVNET_PORT}`;
    const status = await this.unlessEnded(
      waitFor(() => askJson<{ data: { now: number } }>(`${url}/api/node/status`, signal), signal),
      [devnet],
    );
    showPhase('devnet', `${url}, ${status.data.now} blocks and a new one every 2 seconds`);
    return url;
  }

  private startApp(name: AppName, own: NodeJS.ProcessEnv): AppProcess {
    const { environment, dataFolder } = this.options;
    const app = startApp(name, { ...environment, ...own }, join(dataFolder, 'logs'));
    this.apps.push(app);
    this.stops.push(() => app.stop());
    noteStarted(dataFolder, app.pid);
    return app;
  }

  private unlessEnded<T>(waiting: Promise<T>, apps: readonly AppProcess[]): Promise<T> {
    return Promise.race([waiting, ...apps.map((app) => app.failure)]);
  }

  private async watchCatchingUp(ask: () => Promise<LoaderStatus | null>, signal: AbortSignal): Promise<void> {
    const shown = showCatchingUp();
    try {
      await waitFor(async () => {
        const status = await ask();
        if (status === null) return null;
        if (status.loaded) return status;
        shown.update(status.now, status.now + Math.max(status.blocksCount, 0));
        return null;
      }, signal);
    } finally {
      shown.end();
    }
  }
}
