/** A block or transaction of a node's public API in the node's own text: as shown by default, and with `transform=false`. */
export interface NodeText {
  readonly plain: string;
  /** Null on lines without `transform`. */
  readonly raw: string | null;
}

export interface NodeTransaction extends NodeText {
  readonly id: string;
  /** As `blocks/{id}/transactions` shows it: line 3.x leaves out timestamps and confirmations there. */
  readonly inBlock: string;
  readonly sequence: number;
}

export interface NodeBlock extends NodeText {
  readonly id: string;
  readonly height: number;
  /** Seconds since the network's epoch. */
  readonly timestamp: number;
  readonly generatorPublicKey: string;
  /** In payload order. */
  readonly transactions: readonly NodeTransaction[];
}

/** What a node answers from. Heights begin at 1. */
export interface NodeChain {
  readonly height: number;
  block(height: number): NodeBlock;
  /** Null if the chain has no such block. */
  heightOf(blockId: string): number | null;
  /** Of the block that contains it; null if none does. */
  heightOfTransaction(id: string): number | null;
  /** The number of transactions in the blocks up to `height`. */
  transactionsUpTo(height: number): number;
}

/** A chain that is the whole list, from the genesis block on. */
export class ListedChain implements NodeChain {
  private readonly counts: number[] = [0];

  constructor(private readonly blocks: readonly NodeBlock[]) {
    for (const { transactions } of blocks) this.counts.push(this.counts.at(-1)! + transactions.length);
  }

  get height(): number {
    return this.blocks.length;
  }

  block(height: number): NodeBlock {
    return this.blocks[height - 1]!;
  }

  heightOf(blockId: string): number | null {
    return this.blocks.find(({ id }) => id === blockId)?.height ?? null;
  }

  heightOfTransaction(id: string): number | null {
    return (
      this.blocks.find(({ transactions }) => transactions.some((each) => each.id === id))?.height ?? null
    );
  }

  transactionsUpTo(height: number): number {
    return this.counts[height]!;
  }
}
