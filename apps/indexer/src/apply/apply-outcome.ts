import type { BlockRef, LedgerBlock } from '@roundhouse/chain';

/** How a drain ended. A chain that does not link is news, not an error. */
export type ApplyOutcome =
  /** All that was staged directly above the head is applied. */
  | { readonly kind: 'applied'; readonly head: BlockRef | null; readonly blocks: number }
  /** The staged block at `height` does not stand on the head: a fork, or a range from a branch that is gone. */
  | { readonly kind: 'mismatch'; readonly height: number; readonly head: BlockRef }
  /** The block stands on the head, and the ledger or the tables do not take it; all below it is applied. */
  | { readonly kind: 'refused'; readonly block: LedgerBlock; readonly reason: string };

/** One committed batch, for logs and metrics. */
export interface BatchReport {
  readonly head: BlockRef;
  readonly blocks: number;
  readonly transactions: number;
  readonly loadMs: number;
  readonly applyMs: number;
  readonly commitMs: number;
  /** Type group and type → count, of transactions that this index does not know. */
  readonly unknownTypes: ReadonlyMap<string, number>;
}
