import type { ChainConstants } from '@roundhouse/chain';

export interface NextPoll {
  readonly delayMs: number;
  /** Names the occasion: processes that mean the same one ask the source once. */
  readonly key: string;
  /** Asks for one certain block: needless where that has come meanwhile. */
  readonly isForSlot: boolean;
}

/** After a slot begins its block needs a moment to be forged and to reach the node. */
const FORGING_MS = 50;

/** How soon a source whose block is late is asked again; then after twice that, and so on: a few times a slot. */
const LATE_MS = 100;

/** After so many slots without a block the chain rather stands still: it is asked once a slot, and each interval. */
const MOST_LATE_SLOTS = 3;

/**
 * When to ask the source next: after `intervalMs`, or sooner where a block is due or late. `headTimestamp` is in
 * seconds since the epoch, null while the index is behind; `now` in ms.
 */
export const nextPoll = (
  now: number,
  headTimestamp: number | null,
  { epoch, blocktime }: Pick<ChainConstants, 'epoch' | 'blocktime'>,
  intervalMs: number,
): NextPoll => {
  const regular = { delayMs: intervalMs, key: 'poll', isForSlot: false };
  if (headTimestamp === null) return regular;
  const headMs = Date.parse(epoch) + headTimestamp * 1_000;
  const slotMs = blocktime * 1_000;
  const dueMs = (slots: number): number => headMs + slots * slotMs + FORGING_MS;
  const slotsBegun = Math.max(Math.floor((now - FORGING_MS - headMs) / slotMs), 0);
  let at = dueMs(slotsBegun + 1);
  if (slotsBegun > 0 && slotsBegun <= MOST_LATE_SLOTS) at = Math.min(at, askAgainAt(now, dueMs(slotsBegun)));
  const delayMs = at - now;
  return delayMs < intervalMs ? { delayMs, key: `slot-${at}`, isForSlot: true } : regular;
};

const askAgainAt = (now: number, dueMs: number): number => {
  let lateMs = LATE_MS;
  while (dueMs + lateMs <= now) lateMs *= 2;
  return dueMs + lateMs;
};
