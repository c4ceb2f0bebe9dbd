import type { BlockHeader, JsonObject, Transaction } from '@roundhouse/chain';

/** The most entries that Core returns in one page, on either line. */
export const PAGE_LIMIT = 100;

/** A transaction with the id of its block. */
export interface PlacedTransaction {
  /** Null for a raw transaction of 2.x. */
  readonly blockId: string | null;
  /** Its position in the block on 3.x. Always 0 on 2.x. */
  readonly sequence: number;
  readonly transaction: Transaction;
}

/** A request to a node. With a payload it is a POST; those used here only search. */
export interface NodeRequest {
  readonly path: string;
  readonly payload?: JsonObject;
  /** Whether the node may refuse it (400, 422): then the refusal is the answer. */
  readonly isTrial?: boolean;
}

/** How to query one line of Core's public API. Paths are relative to the node's address. */
export interface CoreLine {
  readonly name: '2.x' | '3.x';
  readonly headers: Readonly<Record<string, string>>;
  readonly root: string;
  /** Whether pages of blocks descend. */
  readonly isNewestFirst: boolean;
  /** The most blocks whose transactions one request can ask for. */
  readonly blocksPerTransactionQuery: number;
  /**
   * The blocks from `from` to `to`, in the line's order; not more than a page. `variant` is any number from 0, for a request
   * that must differ from earlier ones.
   */
  blocksRequest(this: void, from: number, to: number, variant: number): NodeRequest;
  /** A page of the transactions of blocks, whose headers ascend. */
  transactionsRequest(this: void, blocks: readonly BlockHeader[], page: number): NodeRequest;
  /** Puts the transactions of several blocks, all their pages, into payload order in each block. */
  inPayloadOrder(
    this: void,
    placed: readonly PlacedTransaction[],
    blocks: readonly BlockHeader[],
  ): PlacedTransaction[];
  decodeHeader(this: void, value: unknown): BlockHeader;
  decodeTransaction(this: void, value: unknown): PlacedTransaction;
}

/** Where the fields are that an API hides. */
export const NAME_ANOTHER =
  "name the node's own database (postgres://) or an archive (file:) in BLOCK_SOURCE, or a node of a newer Core";
