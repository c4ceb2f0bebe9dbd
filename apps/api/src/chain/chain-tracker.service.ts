import { setTimeout as wait } from 'node:timers/promises';
import { Inject, Injectable, type OnApplicationShutdown, type OnModuleInit } from '@nestjs/common';
import { addressOf, type ChainConstants, type MilestoneSchedule, type Network } from '@roundhouse/chain';
import { isPublicKey } from '@roundhouse/dto';
import { LOGGER } from '@roundhouse/logging';
import type { Logger } from 'pino';
import { HeadWatcher, type ChainState, type HeadRecord, type NetworkRecord } from '@roundhouse/readers';
import { SETTINGS, type ApiSettings } from '../api.config.js';
import { isPooled, readerUrl } from '../database/reader-url.js';
import { NotReadyError } from './not-ready.error.js';
import { StaleReadings } from './stale-readings.js';

/** The head, the network and the node's height in one snapshot. Every answer is made from one view. */
export class ChainView {
  /**
   * @param basis the same object as long as head and network stay the same
   * @param sequence grows with each basis
   */
  constructor(
    private readonly state: ChainState,
    readonly basis: object,
    readonly sequence: number,
  ) {}

  get headOrNull(): HeadRecord | null {
    return this.state.head;
  }

  get sourceHeight(): number | null {
    return this.state.sourceHeight;
  }

  /** Whether the node has been silent for so long that its height counts as unknown. */
  get isSourceSilent(): boolean {
    return this.state.sourceSilentSeconds > 0;
  }

  /** Throws `NotReadyError` before the first block. */
  get head(): HeadRecord {
    if (!this.state.head) throw new NotReadyError('No block is indexed yet; try again in a moment.');
    return this.state.head;
  }

  /** Throws `NotReadyError` while the network is unknown. */
  get network(): Network {
    return this.networkRecord.network;
  }

  get milestones(): MilestoneSchedule {
    return this.networkRecord.milestones;
  }

  /** The constants in force at the head. */
  get constants(): ChainConstants {
    return this.milestones.at(this.head.height);
  }

  /** @param account an address, a public key, or anything else, which is returned as it is */
  addressNamed(account: string): string {
    return isPublicKey(account) ? addressOf(account, this.network.pubKeyHash) : account;
  }

  /** Whether `state` has the same head and network as this view. */
  hasBasisOf({ head, network }: ChainState): boolean {
    const own = this.state;
    return (
      own.network?.version === network?.version &&
      own.head?.height === head?.height &&
      own.head?.id === head?.id &&
      own.head?.revision === head?.revision &&
      own.head?.indexedAtUs === head?.indexedAtUs
    );
  }

  private get networkRecord(): NetworkRecord {
    const { network } = this.state;
    if (!network) throw new NotReadyError('The network is not known yet; try again in a moment.');
    return network;
  }
}

/** How long a reading confirms the head. */
const CONFIRMED_FOR_MS = 1000;

/** How long a request waits for a new reading. */
const PATIENCE_MS = 300;

/** Keeps the newest view of the chain, and when the tables last confirmed it. */
@Injectable()
export class ChainTracker implements OnModuleInit, OnApplicationShutdown {
  private view: ChainView | null = null;
  private confirmedAt = Number.NEGATIVE_INFINITY;
  private isReachable = true;
  private silentSeconds = 0;
  private lagSeconds: number | null = null;
  private readonly watcher: HeadWatcher;
  private readonly listeners: ((view: ChainView) => void)[] = [];
  private readonly stale = new StaleReadings((isWaitedFor) =>
    this.logger.warn(
      isWaitedFor
        ? 'the replica is behind what was served: waiting for it'
        : 'the replica is still behind what was served, as after the restore of a backup: its head is served from now on',
    ),
  );

  constructor(
    @Inject(SETTINGS) settings: ApiSettings,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {
    this.watcher = new HeadWatcher({
      connectionString: readerUrl(settings),
      applicationName: 'roundhouse-api-head',
      isPooled: isPooled(settings),
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

  /** How long the node has been silent; 0 while that is within the limit. */
  get sourceSilentSeconds(): number {
    return this.silentSeconds;
  }

  /** How old the newest change is that the replica shows; null if the database is no replica, or does not tell. */
  get replicaLagSeconds(): number | null {
    return this.lagSeconds;
  }

  get isConfirmed(): boolean {
    return performance.now() - this.confirmedAt <= CONFIRMED_FOR_MS;
  }

  /** A confirmed view. Throws `NotReadyError` if the tables cannot be read. */
  async current(): Promise<ChainView> {
    if (!this.isConfirmed) await Promise.race([this.refresh(), wait(PATIENCE_MS, undefined, { ref: false })]);
    if (!this.view || !this.isConfirmed)
      throw new NotReadyError('The index cannot be read just now; try again in a moment.');
    return this.view;
  }

  /** Reads the head now. `isConfirmed` shows whether that worked. */
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
    this.lagSeconds = state.replicaLagSeconds;
    // A client never gets an older head than it got before.
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
