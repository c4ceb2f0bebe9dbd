import type { ChainConstants } from '@roundhouse/chain';

export interface NextPoll {
  readonly delayMs: number;
  /** Names the occasion: processes that mean the same one ask the source once. */
  readonly key: string;
}

/** After a slot begins its block needs a moment to be forged and to reach the node. */
const FORGING_MS = 50;

/**
 * When to ask the source next: after `intervalMs`, or shortly after the next slot begins where that is sooner.
 * `headTimestamp` is in seconds since the epoch, null while the index is behind; `now` in ms.
 */
export const nextPoll = (
  now: number,
  headTimestamp: number | null,
  { epoch, blocktime }: Pick<ChainConstants, 'epoch' | 'blocktime'>,
  intervalMs: number,
): NextPoll => {
  const regular = { delayMs: intervalMs, key: 'poll' };
  if (headTimestamp === null) return regular;
  const headMs = Date.parse(epoch) + headTimestamp * 1_000;
  const slotMs = blocktime * 1_000;
  const slots = Math.floor((now - FORGING_MS - headMs) / slotMs) + 1;
  const dueMs = headMs + Math.max(slots, 1) * slotMs;
  const delayMs = dueMs + FORGING_MS - now;
  return delayMs < intervalMs ? { delayMs, key: `slot-${dueMs}` } : regular;
};
