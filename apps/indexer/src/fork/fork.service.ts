import { Inject, Injectable } from '@nestjs/common';
import { ChainError, type BlockRef } from '@roundhouse/chain';
import type { BlockSource } from '@roundhouse/source';
import { findBlockId } from '@roundhouse/storage';
import { Pool } from 'pg';
import { SOURCE } from '../source.provider.js';
import { findCommonHeight } from './find-common-height.js';

/** How the source's chain stands to the index. */
export type Verdict =
  /** The source has our head, or is merely behind it, or is changing just now: nothing to undo. */
  | { readonly kind: 'same' | 'behind' | 'changing' }
  /** The source has other blocks above `commonHeight`. */
  | { readonly kind: 'forked'; readonly commonHeight: number };

/** Source and index have not one block in common. */
export class ForeignChainError extends ChainError {
  constructor(source: string) {
    super(
      'FOREIGN_CHAIN',
      `The source ${source} has not one block in common with the index: mend BLOCK_SOURCE, or empty the index with "indexer reset --yes".`,
    );
  }
}

/** Compares the source's chain with ours and finds where they part. Changes nothing. */
@Injectable()
export class ForkService {
  constructor(
    @Inject(Pool) private readonly pool: Pool,
    @Inject(SOURCE) private readonly source: BlockSource,
  ) {}

  async judge(head: BlockRef): Promise<Verdict> {
    const theirs = await this.source.blockIdAt(head.height);
    if (theirs === head.id) return { kind: 'same' };
    if (theirs !== null) return this.findFork(head.height);

    const tip = await this.source.tip();
    if (tip.height >= head.height) return { kind: 'changing' };
    if (tip.id === (await findBlockId(this.pool, tip.height))) return { kind: 'behind' };
    return this.findFork(tip.height);
  }

  private async findFork(differing: number): Promise<Verdict> {
    const commonHeight = await findCommonHeight(
      differing,
      (height) => findBlockId(this.pool, height),
      (height) => this.source.blockIdAt(height),
    );
    if (commonHeight === null) return { kind: 'changing' };
    if (commonHeight === 0) throw new ForeignChainError(this.source.name);
    return (await this.isBorder(commonHeight)) ? { kind: 'forked', commonHeight } : { kind: 'changing' };
  }

  /**
   * Whether one and the same source still parts from us right there: answers of a node that shows two forks in turn, or
   * of two nodes where one takes over from the other, may have been put together.
   */
  private async isBorder(commonHeight: number): Promise<boolean> {
    const above = await this.source.blockIdAt(commonHeight + 1);
    if (above === null || above === (await findBlockId(this.pool, commonHeight + 1))) return false;
    return (await this.source.blockIdAt(commonHeight)) === (await findBlockId(this.pool, commonHeight));
  }
}
