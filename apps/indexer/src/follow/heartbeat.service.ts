import { setTimeout as wait } from 'node:timers/promises';
import { Inject, Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import { MilestoneSchedule, type ChainConstants, type Network } from '@roundhouse/chain';
import { JobQueues } from '@roundhouse/jobs';
import { LOGGER } from '@roundhouse/logging';
import type { Logger } from 'pino';
import { withAdvice } from '../database/database-trouble.js';
import { SETTINGS, type IndexerSettings } from '../indexer.config.js';
import { CurrentNetwork } from '../network/current-network.js';
import { Stopping } from '../stopping.service.js';
import { LEAST_ARRIVAL_MS, nextArrival, nextPoll, type NextPoll } from './next-poll.js';
import { PositionService } from './position.service.js';

/** Below 1, so that deduplication does not drop a next poll that comes a moment early. */
const DEDUPLICATED_PART = 0.8;

/** How often the tables are read for news from other processes: that costs the source nothing. */
const LOOK_MS = 500;

/** If the node posts each block, a poll is only a safety net. */
const FIRST_ARRIVAL_WITH_WEBHOOK_MS = 1_000;

/** Each process has one: if anything is lost from the queues, the next beat starts everything again. */
@Injectable()
export class Heartbeat implements OnApplicationBootstrap {
  private milestones: { readonly of: Network; readonly schedule: MilestoneSchedule } | null = null;
  /** The rules at the last beat. */
  private rules: Network;
  private failed = false;
  /** How long after the beginning of its slot the source usually has a block. */
  private arrivalMs: number;
  /** How far into its slot the last poll was; null if no poll was timed by a slot since the last news. */
  private tried: number | null = null;
  private slotMs = 0;

  constructor(
    @Inject(SETTINGS) private readonly settings: IndexerSettings,
    private readonly network: CurrentNetwork,
    @Inject(LOGGER) private readonly logger: Logger,
    private readonly queues: JobQueues,
    private readonly position: PositionService,
    private readonly stopping: Stopping,
  ) {
    this.rules = network.value;
    const hasWebhook = settings.WEBHOOK_TOKEN !== undefined;
    this.arrivalMs = hasWebhook ? FIRST_ARRIVAL_WITH_WEBHOOK_MS : LEAST_ARRIVAL_MS;
  }

  onApplicationBootstrap(): void {
    void this.begin();
  }

  /** Refused ranges are tried again after a start: the operator may have removed the cause. */
  private async begin(): Promise<void> {
    await this.queues.freeFailedRanges().catch(() => undefined);
    await this.beat();
  }

  private async beat(): Promise<void> {
    const { signal } = this.stopping;
    let poll: Pick<NextPoll, 'key' | 'keyMs'> = { key: 'poll', keyMs: this.settings.POLL_INTERVAL_MS };
    for (; !signal.aborted; poll = await this.untilDue(signal)) await this.ask(poll);
  }

  /** Returns the next poll when it is due. */
  private async untilDue(signal: AbortSignal): Promise<NextPoll> {
    let before = this.position.current;
    let poll = this.next();
    let dueAt = performance.now() + poll.delayMs;
    for (;;) {
      const leftMs = dueAt - performance.now();
      await wait(Math.min(Math.max(leftMs, 0), LOOK_MS), undefined, { signal }).catch(() => undefined);
      const now = await this.position.refresh().catch(() => before);
      // A poll of another process or a webhook may have brought a block sooner.
      const hasNews =
        (now.sourceHeight ?? 0) > (before.sourceHeight ?? 0) || now.head?.id !== before.head?.id;
      if (signal.aborted || (leftMs <= LOOK_MS && !(hasNews && poll.isForNews))) {
        this.tried = poll.sinceSlotMs;
        return poll;
      }
      if ((now.sourceHeight ?? 0) > (before.sourceHeight ?? 0)) this.learn();
      before = now;
      // If the index has reached the tip meanwhile, the next poll is due in the next slot, before the interval is over.
      const other = this.next();
      const otherAt = performance.now() + other.delayMs;
      if (otherAt < dueAt || (hasNews && poll.isForNews)) [poll, dueAt] = [other, otherAt];
    }
  }

  /** Adjusts `arrivalMs` when the source has a new block, whether or not one of our tries found it. */
  private learn(): void {
    this.arrivalMs = nextArrival(this.arrivalMs, this.tried, this.slotMs);
    this.tried = null;
  }

  private async ask({ key, keyMs }: Pick<NextPoll, 'key' | 'keyMs'>): Promise<void> {
    try {
      await this.queues.poll(key, Math.ceil(keyMs * DEDUPLICATED_PART));
      await this.position.refresh();
      await this.takeUpRules();
      if (this.failed) this.logger.info('database and queues can be reached again');
      this.failed = false;
    } catch (error) {
      if (!this.failed && !this.stopping.signal.aborted) {
        this.logger.warn(
          { reason: withAdvice(error as Error) },
          'database or queues cannot be reached; trying again',
        );
      }
      this.failed = true;
    }
  }

  /** New rules may allow what was refused: refused ranges need not rest any longer. */
  private async takeUpRules(): Promise<void> {
    const rules = await this.network.refresh();
    if (rules === this.rules) return;
    await this.queues.freeFailedRanges();
    this.rules = rules;
  }

  private next(): NextPoll {
    const { head } = this.position.current;
    const constants = this.constantsAt((head?.height ?? 0) + 1);
    this.slotMs = constants.blocktime * 1_000;
    return nextPoll({
      now: Date.now(),
      headTimestamp: head?.timestamp ?? null,
      lag: this.position.lag ?? 0,
      constants,
      intervalMs: this.settings.POLL_INTERVAL_MS,
      arrivalMs: this.arrivalMs,
    });
  }

  private constantsAt(height: number): ChainConstants {
    const { value } = this.network;
    if (this.milestones?.of !== value) {
      this.milestones = { of: value, schedule: new MilestoneSchedule(value.milestones) };
    }
    return this.milestones.schedule.at(height);
  }
}
