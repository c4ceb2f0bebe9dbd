import { InvalidBlockError, nameOfRule, type Block } from '@roundhouse/chain';
import { isRefusedRow, isReplay } from '@roundhouse/storage';
import type { ApplyOutcome } from './apply-options.js';

/** The block that cannot be applied is `block` if `isTheOne`; otherwise it is `block` or one below it. */
export interface Suspect {
  readonly kind: 'suspect';
  readonly block: Block;
  readonly reason: string;
  readonly isTheOne: boolean;
}

/**
 * Null if no block is at fault. `inHand`: the block that the ledger had; `newest`: the highest that was sent to PostgreSQL, which
 * gets rows of many blocks at once, so its error does not name the block.
 */
export const suspectOf = (error: Error, inHand: Block | null, newest: Block | null): Suspect | null => {
  const reason = error.message;
  if (error instanceof InvalidBlockError && inHand !== null)
    return { kind: 'suspect', block: inHand, reason, isTheOne: true };
  if (newest === null || !isRefusedRow(error)) return null;
  const said = isReplay(error)
    ? `it has a transaction of a block below it, or one twice ${nameOfRule('transaction-twice')}`
    : `PostgreSQL refuses it: ${reason}`;
  return { kind: 'suspect', block: newest, reason: said, isTheOne: false };
};

interface Applying {
  /** The height of the index. */
  height(): Promise<number>;
  applyUpTo(height: number): Promise<ApplyOutcome | Suspect>;
}

/** Finds the block at fault by bisection: each step halves the range that has it, and commits the good blocks in it. */
export const isolate = async (first: Suspect, applying: Applying): Promise<ApplyOutcome> => {
  for (let suspect = first; ;) {
    const { block, reason, isTheOne } = suspect;
    const head = await applying.height();
    if (block.height === head + 1) return { kind: 'refused', block, reason };
    const lastHeight = isTheOne ? block.height - 1 : head + Math.floor((block.height - head) / 2);
    const outcome = await applying.applyUpTo(lastHeight);
    if (outcome.kind === 'suspect') suspect = outcome;
    else if (outcome.kind !== 'applied' || (outcome.head?.height ?? 0) < lastHeight) return outcome;
  }
};
