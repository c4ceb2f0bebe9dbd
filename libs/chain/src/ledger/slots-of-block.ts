import type { Block } from '../blocks/block.js';
import { forgerAt, roundOf } from '../rounds/rounds.js';
import type { Ledger } from './ledger.js';

/** Whose slots a block shows to be missed; delegates by public key. */
export interface SlotsOfBlock {
  /** Of the block's round. */
  readonly firstHeight: number;
  /** The forger of each slot between the block below and this one, at most as many as a round has. */
  readonly missing: readonly string[];
  /** The forgers that have no block in the round that this block ends; null if it ends none. */
  readonly missedRound: readonly string[] | null;
}

const missingBelow = (ledger: Ledger, block: Block): string[] => {
  const { head, round } = ledger;
  if (head === null || head.height === 1 || round === null) return [];
  const first = ledger.slotOf(head) + 1;
  const count = Math.min(ledger.slotOf(block) - first, round.forgingOrder.length);
  return Array.from({ length: Math.max(0, count) }, (_, place) => forgerAt(round, first + place));
};

/**
 * Core 3.9, `detectMissedBlocks` and `detectMissedRound` of `RoundState`. Call this with the next block before it is
 * applied, when its forger was admitted.
 */
export const slotsOfBlock = (ledger: Ledger, block: Block): SlotsOfBlock => {
  const { firstHeight, lastHeight } = roundOf(ledger.milestones, block.height);
  const missing = missingBelow(ledger, block);
  if (block.height < lastHeight) return { firstHeight, missing, missedRound: null };
  const forged = new Set([...ledger.forged, block].map(({ generatorPublicKey }) => generatorPublicKey));
  const missedRound = (ledger.round?.forgingOrder ?? []).filter((publicKey) => !forged.has(publicKey));
  return { firstHeight, missing, missedRound };
};
