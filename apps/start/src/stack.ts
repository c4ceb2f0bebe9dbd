import { join } from 'node:path';
import type { AppName } from '@roundhouse/local-postgres';
import { startApp, type AppCommand, type StartedApp } from './app-process.js';
import { openDatabase } from './database.js';
import type { LauncherSettings } from './launcher.config.js';
import { LauncherError } from './launcher.error.js';
import { endLeftovers, clearProcesses, recordProcess } from './leftovers.js';
import { assertPortsAreFree } from './ports.js';
import { showCatchingUp, showPhase } from './screen.js';
import { urlAt } from './url-at.js';
import { askJson, waitFor } from './wait-for.js';

interface LoaderStatus {
  readonly loaded: boolean;
  readonly now: number;
  readonly blocksCount: number;
}

export interface StackOptions {
  readonly settings: LauncherSettings;
  /** An absolute path. */
  readonly dataFolder: string;
  readonly environment: NodeJS.ProcessEnv;
}

const LOCALHOST = '127.0.0.1';

/**
 * Starts database, schema, devnet, indexer and api, in this order. If a step fails, it throws; `stop` then ends what
 * has been started, the last first.
 */
export class Stack {
  private readonly stops: (() => Promise<unknown>)[] = [];
  /** One promise for each program that must keep running; it rejects when the program ends. */
  private readonly ends: Promise<void>[] = [];
  private readonly apps: StartedApp[] = [];
  private readonly url: string;
  private readonly stopping = new AbortController();
  private readonly signal: AbortSignal;

  constructor(
    private readonly options: StackOptions,
    signal: AbortSignal,
  ) {
    this.signal = AbortSignal.any([signal, this.stopping.signal]);
    this.url = urlAt(options.settings.HOST, options.settings.PORT);
  }

  /** Starts everything and waits until the index has caught up with its source. Returns the api's URL. */
  async start(): Promise<string> {
    const { settings, dataFolder } = this.options;
    await endLeftovers(dataFolder);
    await this.assertPortsAreFree();
    const database = await openDatabase(settings.DATABASE_URL, dataFolder);
    this.stops.push(() => database.stop());
    this.ends.push(database.ended);
    this.signal.throwIfAborted();
    const own = { DATABASE_URL: database.url };
    await this.race(this.startApp('indexer', 'migrate', own).ended);
    showPhase('schema', 'up to date');
    const source = settings.BLOCK_SOURCE ?? (await this.startDevnet());
    this.startApp('indexer', 'run', {
      ...own,
      BLOCK_SOURCE: source,
      HOST: LOCALHOST,
      OPS_PORT: String(settings.OPS_PORT + 1),
    });
    showPhase(
      'indexer',
      settings.REDIS_URL === undefined ? 'started, its queues in PostgreSQL' : 'started, its queues in Redis',
    );
    this.startApp('api', 'run', { ...own, PORT: String(settings.PORT), OPS_PORT: String(settings.OPS_PORT) });
    await this.race(waitFor(() => this.askStatus(), this.signal));
    showPhase('api', this.url);
    // An index that exists is served before its indexer has checked its settings.
    const indexer = urlAt(LOCALHOST, settings.OPS_PORT + 1);
    await this.race(waitFor(() => askJson(`${indexer}/health/live`, this.signal), this.signal));
    await this.watchCatchingUp();
    return this.url;
  }

  /** The lines that apps have written for people, once each. */
  get said(): string[] {
    const lines = this.apps.flatMap(({ said }) => said().split('\n'));
    return [...new Set(lines)].filter((line) => line !== '');
  }

  /** Rejects when the database or an app ends, with a sentence that names it. */
  async watch(): Promise<never> {
    await Promise.race(this.ends);
    throw new LauncherError('Everything stops, as asked.');
  }

  async stop(): Promise<void> {
    this.stopping.abort(new Error('stopping'));
    for (const stop of this.stops.splice(0).reverse()) await stop();
    clearProcesses(this.options.dataFolder);
  }

  private async assertPortsAreFree(): Promise<void> {
    const { settings } = this.options;
    const { HOST, PORT, BLOCK_SOURCE, DEVNET_PORT, OPS_PORT } = settings;
    await assertPortsAreFree([
      { variable: 'PORT', port: PORT, host: HOST },
      ...(['CORE_V1_PORT', 'CORE_V2_PORT'] as const).flatMap((variable) => {
        const port = settings[variable];
        return port === undefined ? [] : [{ variable, port, host: HOST }];
      }),
      ...(BLOCK_SOURCE === undefined
        ? [{ variable: 'DEVNET_PORT', port: DEVNET_PORT, host: LOCALHOST }]
        : []),
      { variable: 'OPS_PORT', port: OPS_PORT, host: HOST },
      // The indexer's internal port.
      { variable: 'OPS_PORT + 1', port: OPS_PORT + 1, host: LOCALHOST },
    ]);
  }

  private async startDevnet(): Promise<string> {
    const { settings, dataFolder } = this.options;
    const url = `http://${LOCALHOST}:${settings.DEVNET_PORT}`;
    this.startApp('devnet', 'run', {
      DATA_DIR: dataFolder,
      HOST: LOCALHOST,
      DEVNET_PORT: String(settings.DEVNET_PORT),
    });
    const status = await this.race(
      waitFor(() => askJson<{ data: { now: number } }>(`${url}/api/node/status`, this.signal), this.signal),
    );
    showPhase('devnet', `${url}, a chain of ${status.data.now} blocks that grows`);
    return url;
  }

  private startApp(name: AppName, command: AppCommand, own: NodeJS.ProcessEnv): StartedApp {
    const { environment, dataFolder } = this.options;
    const app = startApp({
      app: name,
      command,
      environment: { ...environment, ...own },
      logFolder: join(dataFolder, 'logs'),
    });
    this.apps.push(app);
    if (command === 'run') this.ends.push(app.ended);
    this.stops.push(() => app.stop());
    recordProcess(dataFolder, app.pid);
    return app;
  }

  /** Waits for `waiting`, but rejects if the database or an app ends first. */
  private race<T>(waiting: Promise<T>): Promise<T> {
    return Promise.race([waiting, this.watch()]);
  }

  private askStatus(): Promise<LoaderStatus | null> {
    return askJson<LoaderStatus>(`${this.url}/api/loader/status`, this.signal);
  }

  private async watchCatchingUp(): Promise<void> {
    const shown = showCatchingUp();
    try {
      const caughtUp = waitFor(async () => {
        const status = await this.askStatus();
        if (status === null) return null;
        if (status.loaded) return status;
        const total = status.now + Math.max(status.blocksCount, 0);
        if (total > 0) shown.update(status.now, total);
        return null;
      }, this.signal);
      await this.race(caughtUp);
    } finally {
      shown.end();
    }
  }
}
