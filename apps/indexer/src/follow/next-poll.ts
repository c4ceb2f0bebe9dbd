import type { ChainConstants } from '@roundhouse/chain';

export interface NextPoll {
  readonly delayMs: number;
  /** Processes whose polls have the same key ask the source once. */
  readonly key: string;
  /** How long the key is kept (ms). */
  readonly keyMs: number;
  /** Asks for a new block, so it is needless if index or source have moved on meanwhile. */
  readonly isForNews: boolean;
  /** Ms after the beginning of the slot whose block it asks for; null if it asks for none in particular. */
  readonly sinceSlotMs: number | null;
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

/** After more slots without a block, the chain is assumed to stand still. */
const MOST_LATE_SLOTS = 3;

/** This far behind, the newest tip can wait, and the requests that the node grants are needed for blocks. */
const FAR_BEHIND_BLOCKS = 1_000;
const FAR_BEHIND_MS = 10_000;

/**
 * When to ask the source next. While blocks are forged and the index follows them: once in each slot, when its block is
 * due, and again if it is late, regardless of `intervalMs`. Otherwise after `intervalMs`.
 */
export const nextPoll = (timing: PollTiming): NextPoll => {
  const { now, headTimestamp, lag, constants, intervalMs, arrivalMs } = timing;
  const delayMs = lag >= FAR_BEHIND_BLOCKS ? Math.max(intervalMs, FAR_BEHIND_MS) : intervalMs;
  const regular: NextPoll = { delayMs, key: 'poll', keyMs: delayMs, isForNews: false, sinceSlotMs: null };
  if (headTimestamp === null) return regular;
  const headMs = Date.parse(constants.epoch) + headTimestamp * 1_000;
  const slotMs = constants.blocktime * 1_000;
  const slotsBegun = Math.max(Math.floor((now - arrivalMs - headMs) / slotMs), 0);
  const startOf = (slots: number): number => headMs + slots * slotMs;
  const isAlive = slotsBegun <= MOST_LATE_SLOTS && startOf(slotsBegun + 1) + arrivalMs - now <= slotMs;
  if (!isAlive) return regular;
  const poll = (slots: number, tries: number): NextPoll => {
    const sinceSlotMs = arrivalMs + (tries === 0 ? 0 : LATE_MS * 2 ** (tries - 1));
    const at = startOf(slots) + sinceSlotMs;
    const key = `slot-${startOf(slots)}-${tries}`;
    return { delayMs: at - now, key, keyMs: slotMs, isForNews: true, sinceSlotMs };
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

/** How far the usual arrival moves towards a later one, and back towards the beginning of the slot. */
const LATER_PART = 0.5;
const EARLIER_PART = 0.1;

/** If a webhook or another process finds the blocks, it moves later by this step, up to this limit. */
const TOLD_STEP_MS = 100;
const LATEST_WHERE_TOLD_MS = 2_000;

/**
 * The new `arrivalMs` after a block was found by our try at `foundMs` in its slot, or by none of our tries (null). With
 * it, the first try usually finds the block, and is sometimes a little early.
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
