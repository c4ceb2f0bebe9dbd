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

const missingBelow = (
  ledger: Ledger,
  { head, round }: Pick<Ledger, 'head' | 'round'>,
  block: Block,
): string[] => {
  if (head === null || head.height === 1 || round === null) return [];
  const first = ledger.slotOf(head) + 1;
  const count = Math.min(ledger.slotOf(block) - first, round.forgingOrder.length);
  return Array.from({ length: Math.max(0, count) }, (_, place) => forgerAt(round, first + place));
};

/**
 * Core 3.9, `detectMissedBlocks` and `detectMissedRound` of `RoundState`. Call this with the next block before it is
 * applied, when its forger was admitted. What it returns may be called when the ledger has gone on.
 */
export const slotsOfBlock = (ledger: Ledger, block: Block): (() => SlotsOfBlock) => {
  const { head, round, forged: forgedSoFar } = ledger;
  // The ledger adds to this list, or begins another one.
  const count = forgedSoFar.length;
  return () => {
    const { firstHeight, lastHeight } = roundOf(ledger.milestones, block.height);
    const missing = missingBelow(ledger, { head, round }, block);
    if (block.height < lastHeight) return { firstHeight, missing, missedRound: null };
    const blocks = [...forgedSoFar.slice(0, count), block];
    const forgers = new Set(blocks.map(({ generatorPublicKey }) => generatorPublicKey));
    const missedRound = (round?.forgingOrder ?? []).filter((publicKey) => !forgers.has(publicKey));
    return { firstHeight, missing, missedRound };
  };
};
