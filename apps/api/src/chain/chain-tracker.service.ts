import { setTimeout as wait } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import { Inject, Injectable, type OnApplicationShutdown, type OnModuleInit } from '@nestjs/common';
import {
  addressOf,
  type AddressBook,
  type ChainConstants,
  type MilestoneSchedule,
  type Network,
} from '@roundhouse/chain';
import { isPublicKey } from '@roundhouse/dto';
import { LOGGER } from '@roundhouse/logging';
import type { Logger } from 'pino';
import {
  HeadWatcher,
  type ChainState,
  type EndRecord,
  type HeadRecord,
  type NetworkRecord,
} from '@roundhouse/readers';
import { NotReadyError } from '../answers/errors.js';
import { SETTINGS, type ApiSettings } from '../api.config.js';
import { isPooled, readerUrl } from '../database/reader-url.js';

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

  /** Null while the chain lives. */
  get end(): EndRecord | null {
    return this.state.end;
  }

  /** Whether the chain has ended and its index is proven: no answer about it changes any more. */
  get isFrozen(): boolean {
    return this.end !== null && this.end.provenAt !== null;
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

  get hasListIndexes(): boolean {
    return this.state.hasListIndexes;
  }

  /** For what would read whole tables without the indexes of lists. Throws `NotReadyError` during a first sync. */
  assertListIndexes(): void {
    if (this.hasListIndexes) return;
    throw new NotReadyError(
      'This cannot be answered during the first sync of the index; try again when it is done.',
    );
  }

  /** The addresses of keys. */
  get addresses(): AddressBook {
    return this.networkRecord.addresses;
  }

  /** @param account an address, a public key, or anything else, which is returned as it is */
  addressNamed(account: string): string {
    return isPublicKey(account) ? addressOf(account, this.network.pubKeyHash) : account;
  }

  /** Whether `state` has the same head and network as this view. */
  hasBasisOf({ head, network }: ChainState): boolean {
    const own = this.state;
    return own.network?.version === network?.version && isDeepStrictEqual(own.head, head);
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

/** If a replica is behind for longer than this, the database was restored. */
const LAG_MS = 30_000;

/** Keeps the newest view of the chain, and when the tables last confirmed it. */
@Injectable()
export class ChainTracker implements OnModuleInit, OnApplicationShutdown {
  private view: ChainView | null = null;
  private confirmedAt = Number.NEGATIVE_INFINITY;
  private isReachable = true;
  /** The newest reading, also if it was stale. */
  private reading: ChainState | null = null;
  private readonly watcher: HeadWatcher;
  private readonly listeners: (() => void)[] = [];
  /** Since when the replica is behind what was served, by the clock of `confirmedAt`. */
  private behindSince: number | null = null;

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
    return this.reading?.sourceSilentSeconds ?? 0;
  }

  /** How old the newest change is that the replica shows; null if the database is no replica, or does not tell. */
  get replicaLagSeconds(): number | null {
    return this.reading?.replicaLagSeconds ?? null;
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

  /** Calls `listener` when head or network have changed. */
  onNewBasis(listener: () => void): void {
    this.listeners.push(listener);
  }

  private observe(state: ChainState, startedAt: number): void {
    if (!this.isReachable) this.logger.info('the database can be read again');
    this.isReachable = true;
    this.reading = state;
    const { view } = this;
    // A client never gets an older head than it got before.
    if (this.isStale(state, startedAt)) return;
    this.confirmedAt = startedAt;
    if (!view?.hasBasisOf(state)) {
      this.view = new ChainView(state, {}, (view?.sequence ?? 0) + 1);
      for (const listener of this.listeners) listener();
    } else if (
      view.sourceHeight !== state.sourceHeight ||
      view.hasListIndexes !== state.hasListIndexes ||
      view.isSourceSilent !== state.sourceSilentSeconds > 0
    ) {
      this.view = new ChainView(state, view.basis, view.sequence);
    }
  }

  /** Whether a replica lags. A primary never does: if its head goes back, a backup was restored, and that is the index now. */
  private isStale({ head, isReplica }: ChainState, readAt: number): boolean {
    const served = this.view?.headOrNull;
    if (!isReplica || !head || !served || head.revision >= served.revision) {
      this.behindSince = null;
      return false;
    }
    if (this.behindSince === null) this.logger.warn('the replica is behind what was served: waiting for it');
    this.behindSince ??= readAt;
    if (readAt - this.behindSince < LAG_MS) return true;
    this.logger.warn(
      'the replica is still behind what was served, as after the restore of a backup: its head is served from now on',
    );
    this.behindSince = null;
    return false;
  }

  private reportLoss(error: Error): void {
    if (this.isReachable) this.logger.error({ reason: error.message }, 'the database cannot be read');
    this.isReachable = false;
  }
}
