import type { ChainConstants } from '@roundhouse/chain';

export interface NextPoll {
  readonly delayMs: number;
  /** Names the occasion: processes that mean the same one ask the source once. */
  readonly key: string;
  /** How long the key names it (ms). */
  readonly keyMs: number;
  /** Asks for what is new: needless where index or source have moved on meanwhile. */
  readonly isForNews: boolean;
  /** For one certain block: ms after the beginning of its slot. */
  readonly sinceSlotMs: number | null;
}

/** What is known of the index, of its chain and of the source's habit. */
export interface PollTiming {
  /** Ms since 1970. */
  readonly now: number;
  /** Of the newest indexed block, in seconds since the epoch; null while there is none. */
  readonly headTimestamp: number | null;
  /** Blocks that the source has and the index has not. */
  readonly lag: number;
  readonly constants: Pick<ChainConstants, 'epoch' | 'blocktime'>;
  readonly intervalMs: number;
  /** How long after the beginning of its slot the source usually has a block. */
  readonly arrivalMs: number;
}

/** After a slot begins its block needs a moment to be forged and to reach the node. */
export const LEAST_ARRIVAL_MS = 50;

/** How soon a source whose block is late is asked again; then after twice that, and so on: a few times a slot. */
const LATE_MS = 100;

/** After so many slots without a block the chain rather stands still. */
const MOST_LATE_SLOTS = 3;

/** With so much to fetch, what the source has beyond it can wait, and its requests are needed for the blocks. */
const FAR_BEHIND_BLOCKS = 1_000;
const FAR_BEHIND_MS = 10_000;

/**
 * When to ask the source next. While the chain lives and the index follows it, once in each slot, when its block is due,
 * and again where that is late: whatever the interval is. Otherwise after `intervalMs`.
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
  // What the source has told of is asked for again only where it does not come.
  if (lag > 0) return due.delayMs < intervalMs ? due : { ...regular, isForNews: true };
  if (slotsBegun === 0) return due;
  let tries = 1;
  while (poll(slotsBegun, tries).delayMs <= 0) tries += 1;
  const again = poll(slotsBegun, tries);
  return again.delayMs < due.delayMs ? again : due;
};

/** How far the usual arrival moves towards one that was later, and back towards the beginning of the slot. */
const LATER_PART = 0.5;
const EARLIER_PART = 0.1;

/** And how far, up to which moment, where blocks are told of by a webhook or found by another process. */
const TOLD_STEP_MS = 100;
const LATEST_WHERE_TOLD_MS = 2_000;

/**
 * When the source will be asked in a slot, after a block was found by the try at `foundMs` of its own, or by none of
 * ours (null). It moves to where the first try mostly finds the block, a little early now and then.
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
