/** A block's header in the devnet's form; amounts are text in arktoshi. */
export interface TreeBlock {
  readonly id: string;
  readonly height: number;
  readonly previousBlock: string;
  readonly generatorPublicKey: string;
  readonly totalFee: string;
  readonly reward: string;
}

export interface Forged {
  readonly blocks: number;
  /** Arktoshi. */
  readonly fees: bigint;
  readonly rewards: bigint;
}

/** Every block that the node has ever shown, on any branch. The id of a block identifies all blocks below it. */
export class BlockTree {
  private readonly byId = new Map<string, TreeBlock>();
  private readonly idsAtHeight = new Map<number, string[]>();

  add(block: TreeBlock): void {
    if (this.byId.has(block.id)) return;
    this.byId.set(block.id, block);
    const same = this.idsAtHeight.get(block.height);
    if (same) same.push(block.id);
    else this.idsAtHeight.set(block.height, [block.id]);
  }

  get size(): number {
    return this.byId.size;
  }

  has(id: string, height: number): boolean {
    return this.byId.get(id)?.height === height;
  }

  /** The possible heads at this height. */
  headsAt(height: number): readonly string[] {
    return this.idsAtHeight.get(height) ?? [];
  }

  /** Whether the block is `belowId` or a descendant of it. */
  standsOn(id: string, belowId: string): boolean {
    const lowest = this.byId.get(belowId)?.height ?? Infinity;
    for (const block of this.downFrom(id)) {
      if (block.id === belowId) return true;
      if (block.height < lowest) return false;
    }
    return false;
  }

  /** What a delegate has forged up to this block, except the genesis block. */
  forgedBy(publicKey: string, headId: string): Forged {
    let blocks = 0;
    let fees = 0n;
    let rewards = 0n;
    for (const block of this.downFrom(headId)) {
      if (block.generatorPublicKey !== publicKey || block.height === 1) continue;
      blocks += 1;
      fees += BigInt(block.totalFee);
      rewards += BigInt(block.reward);
    }
    return { blocks, fees, rewards };
  }

  /** The sum of all rewards up to this block, in arktoshi. */
  rewardsUpTo(headId: string): bigint {
    let rewards = 0n;
    for (const { reward } of this.downFrom(headId)) rewards += BigInt(reward);
    return rewards;
  }

  /** The block and all below it. */
  *downFrom(id: string): Generator<TreeBlock> {
    for (let block = this.byId.get(id); block; block = this.byId.get(block.previousBlock)) yield block;
  }
}
