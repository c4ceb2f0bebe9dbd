import type { BlockRef, LedgerBlock } from '@roundhouse/chain';

/** How a drain ended. An unlinked block is an outcome, not an error. */
export type ApplyOutcome =
  /** Everything staged directly above the head is applied. */
  | { readonly kind: 'applied'; readonly head: BlockRef | null; readonly blocks: number }
  /** The staged block at `height` does not link to the head: a fork, or a range from an abandoned branch. */
  | { readonly kind: 'mismatch'; readonly height: number; readonly head: BlockRef }
  /** The block links to the head, but the ledger or the tables refuse it; everything below it is applied. */
  | { readonly kind: 'refused'; readonly block: LedgerBlock; readonly reason: string };

/** One committed batch, for logs and metrics. */
export interface BatchReport {
  readonly head: BlockRef;
  readonly blocks: number;
  readonly transactions: number;
  readonly loadMs: number;
  readonly applyMs: number;
  readonly commitMs: number;
  /** Type group and type → number of transactions that this index does not know. */
  readonly unknownTypes: ReadonlyMap<string, number>;
}
