import { setTimeout as wait } from 'node:timers/promises';
import { Inject, Injectable, type OnApplicationShutdown, type OnModuleInit } from '@nestjs/common';
import { HeadWatcher, type ChainState } from '@roundhouse/storage';
import type { Logger } from 'pino';
import { SETTINGS, type ApiSettings } from '../api.config.js';
import { LOGGER } from '../operations/logger.js';
import { ChainView } from './chain-view.js';
import { NotReadyError } from './not-ready.error.js';
import { StaleReadings } from './stale-readings.js';

/** How long what was read stands without being read again. */
const CONFIRMED_FOR_MS = 1000;

/** How long a request waits for a reading that might confirm the head after all. */
const PATIENCE_MS = 300;

/** Keeps the newest view of the chain, and knows how long ago the tables confirmed it. */
@Injectable()
export class ChainTracker implements OnModuleInit, OnApplicationShutdown {
  private view: ChainView | null = null;
  private confirmedAt = Number.NEGATIVE_INFINITY;
  private isReachable = true;
  private silentSeconds = 0;
  private readonly watcher: HeadWatcher;
  private readonly listeners: ((view: ChainView) => void)[] = [];
  private readonly stale = new StaleReadings((isWaitedFor) =>
    this.logger.warn(
      isWaitedFor
        ? 'the replica that is read is behind what was served: waiting for it'
        : 'the replica stays behind what was served: taken for one of a restored database, and served',
    ),
  );

  constructor(
    @Inject(SETTINGS) settings: ApiSettings,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {
    this.watcher = new HeadWatcher({
      connectionString: settings.DATABASE_READ_URL ?? settings.DATABASE_URL,
      applicationName: 'roundhouse-api-head',
      onState: (state, startedAt) => this.observe(state, startedAt),
      onError: (error) => this.reportLoss(error),
    });
  }

  async onModuleInit(): Promise<void> {
    await this.watcher.start();
  }

  async onApplicationShutdown(): Promise<void> {
    await this.watcher.stop();
  }

  /** The newest view, confirmed or not; null before the first reading. */
  get latest(): ChainView | null {
    return this.view;
  }

  /** For how long nothing was heard of the node; 0 where that is no longer than it may be. */
  get sourceSilentSeconds(): number {
    return this.silentSeconds;
  }

  get isConfirmed(): boolean {
    return performance.now() - this.confirmedAt <= CONFIRMED_FOR_MS;
  }

  /** A confirmed view. Throws `NotReadyError` where the tables cannot be read. */
  async current(): Promise<ChainView> {
    if (!this.isConfirmed) await Promise.race([this.refresh(), wait(PATIENCE_MS, undefined, { ref: false })]);
    if (!this.view || !this.isConfirmed)
      throw new NotReadyError('The index cannot be read just now; try again in a moment.');
    return this.view;
  }

  /** Reads the head now. What cannot be read shows in `isConfirmed`. */
  async refresh(): Promise<void> {
    await this.watcher.refresh().catch(() => undefined);
  }

  onMove(listener: (view: ChainView) => void): void {
    this.listeners.push(listener);
  }

  private observe(state: ChainState, startedAt: number): void {
    if (!this.isReachable) this.logger.info('the database can be read again');
    this.isReachable = true;
    this.silentSeconds = state.sourceSilentSeconds;
    // Nobody is served an older head than before.
    if (this.stale.isStale(state, this.view?.headOrNull ?? null, startedAt)) return;
    if (this.view?.hasBasisOf(state)) {
      this.confirmedAt = startedAt;
      if (
        this.view.sourceHeight !== state.sourceHeight ||
        this.view.isSourceSilent !== state.sourceSilentSeconds > 0
      )
        this.adopt(state, this.view.basis, this.view.sequence);
      return;
    }
    this.confirmedAt = startedAt;
    this.adopt(state, {}, (this.view?.sequence ?? 0) + 1);
  }

  private adopt(state: ChainState, basis: object, sequence: number): void {
    const view = new ChainView(state, basis, sequence);
    this.view = view;
    for (const listener of this.listeners) listener(view);
  }

  private reportLoss(error: Error): void {
    if (this.isReachable) this.logger.error({ reason: error.message }, 'the database cannot be read');
    this.isReachable = false;
  }
}
