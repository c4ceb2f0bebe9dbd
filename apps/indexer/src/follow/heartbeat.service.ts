import { Inject, Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import { MilestoneSchedule, type ChainConstants, type Network } from '@roundhouse/chain';
import { JobQueues } from '@roundhouse/jobs';
import { LOGGER } from '@roundhouse/logging';
import type { Logger } from 'pino';
import { withAdvice } from '../database/database-trouble.js';
import { SETTINGS, type IndexerSettings } from '../indexer.config.js';
import { CurrentNetwork, FAR_BEHIND_BLOCKS, PositionService } from './current-state.js';
import { Stopping } from '../stopping.service.js';
import { Standstill } from './standstill.js';

interface NextPoll {
  readonly delayMs: number;
  /** Processes whose polls have the same key ask the source once. */
  readonly key: string;
  /** How long the key is kept (ms). */
  readonly keyMs: number;
  /** Asks for a new block, so it is needless if index or source have moved on meanwhile. */
  readonly isForNews: boolean;
  /** Ms after the beginning of the slot whose block it asks for; null if it asks for none in particular. */
  readonly sinceSlotMs: number | null;
  /** How long a slot is. */
  readonly slotMs: number;
}

/** What is known about the index, its chain and when the source usually has a block. */
export interface PollTiming {
  /** Ms since 1970. */
  readonly now: number;
  /** Of the newest indexed block, in seconds since the epoch; null if there is none. */
  readonly headTimestamp: number | null;
  /** Blocks that the source has and the index does not. */
  readonly lag: number;
  readonly constants: Pick<ChainConstants, 'epoch' | 'blocktime'>;
  readonly intervalMs: number;
  /** How long after the beginning of its slot the source usually has a block. */
  readonly arrivalMs: number;
}

/** After its slot begins, a block needs a moment to be forged and to reach the node. */
export const LEAST_ARRIVAL_MS = 50;

/** If a block is late, the source is asked again after this time, then after twice that, and so on. */
const LATE_MS = 100;

/** After more slots than this without a block, the chain is assumed to stand still. */
const MOST_LATE_SLOTS = 3;

/** Far behind, the requests that the node grants are needed for blocks. */
const FAR_BEHIND_MS = 10_000;

/** Keys come again long after they have expired: BullMQ keeps a row in PostgreSQL for each. */
const SLOT_KEYS = 100;

/**
 * When to ask the source next. While blocks are forged and the index follows them: once in each slot, when its block is
 * due, and again if it is late, regardless of `intervalMs`. Otherwise after `intervalMs`.
 */
export const nextPoll = (timing: PollTiming): NextPoll => {
  const { now, headTimestamp, lag, constants, intervalMs, arrivalMs } = timing;
  const delayMs = lag >= FAR_BEHIND_BLOCKS ? Math.max(intervalMs, FAR_BEHIND_MS) : intervalMs;
  const slotMs = constants.blocktime * 1_000;
  const ofInterval = { delayMs, key: 'poll', keyMs: delayMs };
  const regular: NextPoll = { ...ofInterval, isForNews: false, sinceSlotMs: null, slotMs };
  if (headTimestamp === null) return regular;
  const headMs = Date.parse(constants.epoch) + headTimestamp * 1_000;
  const slotsBegun = Math.max(Math.floor((now - arrivalMs - headMs) / slotMs), 0);
  const startOf = (slots: number): number => headMs + slots * slotMs;
  const isAlive = slotsBegun <= MOST_LATE_SLOTS && startOf(slotsBegun + 1) + arrivalMs - now <= slotMs;
  if (!isAlive) return regular;
  const poll = (slots: number, tries: number): NextPoll => {
    const sinceSlotMs = arrivalMs + (tries === 0 ? 0 : LATE_MS * 2 ** (tries - 1));
    const at = startOf(slots) + sinceSlotMs;
    const key = `slot-${Math.round(startOf(slots) / slotMs) % SLOT_KEYS}-${tries}`;
    return { delayMs: at - now, key, keyMs: slotMs, isForNews: true, sinceSlotMs, slotMs };
  };
  const due = poll(slotsBegun + 1, 0);
  // Blocks that the source has announced are being fetched: ask again only if they do not come.
  if (lag > 0) return due.delayMs < intervalMs ? due : { ...regular, isForNews: true };
  if (slotsBegun === 0) return due;
  let tries = 1;
  while (poll(slotsBegun, tries).delayMs <= 0) tries += 1;
  const again = poll(slotsBegun, tries);
  return again.delayMs < due.delayMs ? again : due;
};

/**
 * If a block is found later than usual, `arrivalMs` moves up by `LATER_PART` of the difference. Otherwise it moves back by
 * `EARLIER_PART` of its distance to `LEAST_ARRIVAL_MS`.
 */
const LATER_PART = 0.5;
const EARLIER_PART = 0.1;

/** If a webhook or another process finds a block first, `arrivalMs` grows by this step, up to this limit. */
const TOLD_STEP_MS = 100;
const LATEST_WHERE_TOLD_MS = 2_000;

/**
 * Returns the new `arrivalMs` after our poll at `foundMs` in its slot found a block; `foundMs` is null if none of our
 * polls found it. The first poll in a slot then usually finds the block, and is sometimes a little early.
 */
export const nextArrival = (arrivalMs: number, foundMs: number | null, slotMs: number): number => {
  const bounded = (ms: number): number => Math.min(Math.max(ms, LEAST_ARRIVAL_MS), slotMs / 2);
  if (foundMs === null) {
    return bounded(Math.max(arrivalMs, Math.min(arrivalMs + TOLD_STEP_MS, LATEST_WHERE_TOLD_MS)));
  }
  return foundMs <= arrivalMs
    ? bounded(arrivalMs - (arrivalMs - LEAST_ARRIVAL_MS) * EARLIER_PART)
    : bounded(arrivalMs + (foundMs - arrivalMs) * LATER_PART);
};

/** Below 1, so that deduplication does not drop a next poll that comes a moment early. */
const DEDUPLICATED_PART = 0.8;

/** How often the tables are read for news from other processes: that costs the source nothing. */
const LOOK_MS = 500;

/** If the node posts each block, a poll is only a safety net. */
const FIRST_ARRIVAL_WITH_WEBHOOK_MS = 1_000;

/** Each process has one: if anything is lost from the queues, the next beat starts everything again. */
@Injectable()
export class Heartbeat implements OnApplicationBootstrap {
  /** The rules at the last beat. */
  private rules: Network;
  private failed = false;
  /** How long after the beginning of its slot the source usually has a block. */
  private arrivalMs: number;
  /** How far into its slot the last poll was; null if no poll was timed by a slot since the last news. */
  private tried: number | null = null;

  constructor(
    @Inject(SETTINGS) private readonly settings: IndexerSettings,
    private readonly network: CurrentNetwork,
    @Inject(LOGGER) private readonly logger: Logger,
    private readonly queues: JobQueues,
    private readonly position: PositionService,
    private readonly stopping: Stopping,
    private readonly standstill: Standstill,
  ) {
    this.rules = network.value;
    const hasWebhook = settings.WEBHOOK_TOKEN !== undefined;
    this.arrivalMs = hasWebhook ? FIRST_ARRIVAL_WITH_WEBHOOK_MS : LEAST_ARRIVAL_MS;
  }

  onApplicationBootstrap(): void {
    void this.beat();
  }

  private async beat(): Promise<void> {
    const { signal } = this.stopping;
    // Refused ranges are tried again after a start: the operator may have removed the cause.
    await this.queues.freeFailedRanges().catch(() => undefined);
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
      await this.stopping.pause(Math.min(Math.max(leftMs, 0), LOOK_MS));
      const now = await this.position.refresh().catch(() => before);
      const isSourceHigher = (now.sourceHeight ?? 0) > (before.sourceHeight ?? 0);
      // A poll of another process or a webhook may have brought a block sooner.
      const isNeedless = poll.isForNews && (isSourceHigher || now.head?.id !== before.head?.id);
      if (signal.aborted || (leftMs <= LOOK_MS && !isNeedless)) {
        this.tried = poll.sinceSlotMs;
        return poll;
      }
      if (isSourceHigher) {
        // Whether or not one of our tries found the block.
        this.arrivalMs = nextArrival(this.arrivalMs, this.tried, poll.slotMs);
        this.tried = null;
      }
      before = now;
      // If the index has reached the tip meanwhile, the next poll is due in the next slot, before the interval is over.
      const other = this.next();
      const otherAt = performance.now() + other.delayMs;
      if (otherAt < dueAt || isNeedless) [poll, dueAt] = [other, otherAt];
    }
  }

  private async ask({ key, keyMs }: Pick<NextPoll, 'key' | 'keyMs'>): Promise<void> {
    this.standstill.pollIsDue();
    try {
      await this.queues.poll(key, Math.ceil(keyMs * DEDUPLICATED_PART));
      await this.position.refresh();
      const rules = await this.network.refresh();
      // New rules may allow what was refused: refused ranges need not rest any longer.
      if (rules !== this.rules) await this.queues.freeFailedRanges();
      this.rules = rules;
      if (this.failed) this.logger.info('database and queues can be reached again');
      this.failed = false;
    } catch (error) {
      const reason = withAdvice(error as Error);
      if (!this.failed && !this.stopping.signal.aborted)
        this.logger.warn({ reason }, 'database or queues cannot be reached; trying again');
      this.failed = true;
    }
  }

  private next(): NextPoll {
    const { head } = this.position.current;
    const milestones = new MilestoneSchedule(this.network.value.milestones);
    return nextPoll({
      now: Date.now(),
      headTimestamp: head?.timestamp ?? null,
      lag: this.position.lag ?? 0,
      constants: milestones.at((head?.height ?? 0) + 1),
      intervalMs: this.settings.POLL_INTERVAL_MS,
      arrivalMs: this.arrivalMs,
    });
  }
}
