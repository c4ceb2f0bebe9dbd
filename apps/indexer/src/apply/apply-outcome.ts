import type { BlockRef } from '@roundhouse/chain';

/** How a drain ended. A chain that does not link is news, not an error. */
export type ApplyOutcome =
  /** All that was staged directly above the head is applied. */
  | { readonly kind: 'applied'; readonly head: BlockRef | null; readonly blocks: number }
  /** The staged block at `height` does not stand on the head: a fork, or a range from a branch that is gone. */
  | { readonly kind: 'mismatch'; readonly height: number; readonly head: BlockRef };

/** One committed batch, for logs and figures. */
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
