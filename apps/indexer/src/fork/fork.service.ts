import { Inject, Injectable } from '@nestjs/common';
import { ChainError, isExcepted, type Block, type BlockRef, type Network } from '@roundhouse/chain';
import { LOGGER } from '@roundhouse/logging';
import { NodeProtocolError, type BlockSource } from '@roundhouse/source';
import { findBlockId, listForgers } from '@roundhouse/storage';
import { Pool } from 'pg';
import type { Logger } from 'pino';
import { NETWORK } from '../network/network-guard.js';
import { findCommonHeight } from './find-common-height.js';
import { Swings } from './swings.js';
import { SOURCE } from '../indexer.config.js';

/** How the source's chain compares with the index. */
export type Verdict =
  /** The source has our head, is only behind it, or is changing right now: nothing to undo. */
  | { readonly kind: 'same' | 'behind' | 'changing' }
  /** The source switches between two branches: it is followed again after a pause. */
  | { readonly kind: 'swinging' }
  /** The source has other blocks above `commonHeight`. */
  | { readonly kind: 'forked'; readonly commonHeight: number };

/** Source and index have no block in common. */
export class ForeignChainError extends ChainError {
  constructor(source: string) {
    super(
      'FOREIGN_CHAIN',
      `The source ${source} has no block in common with the index: correct BLOCK_SOURCE, or empty the index with "indexer reset --yes".`,
    );
  }
}

/** The delegates that may forge the block after block `on`. They are the same on every branch that contains `on`. */
interface Forgers {
  readonly on: string;
  readonly publicKeys: readonly string[];
}

/** Compares the source's chain with ours and finds their last common block. Changes nothing. */
@Injectable()
export class ForkService {
  private readonly swings = new Swings();
  private isDistrusting = false;
  /** The permitted forgers of the last block that had another generator; null if there was none. */
  private forgers: Forgers | null = null;
  /** The id of our genesis block; null until a source has another one. */
  private genesisId: string | null = null;

  constructor(
    @Inject(Pool) private readonly pool: Pool,
    @Inject(SOURCE) private readonly source: BlockSource,
    @Inject(NETWORK) private readonly network: Network,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  /** For how long forks are not followed, because the source switches between two branches (ms). */
  get pauseMs(): number {
    return this.swings.pauseMs;
  }

  async judge(head: BlockRef): Promise<Verdict> {
    const theirs = await this.source.blockAt(head.height);
    if (theirs?.id === head.id) return { kind: 'same' };
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
      async (height) => (await this.source.blockAt(height))?.id ?? null,
    );
    if (commonHeight === null) return { kind: 'changing' };
    if (commonHeight === 0) return this.judgeForeign();
    const above = await this.branchAbove(commonHeight);
    if (above === null) return { kind: 'changing' };
    await this.assertForger(above);
    const ours = (await findBlockId(this.pool, above.height))!;
    const pause = this.swings.follow(ours, above.id);
    if (pause === null) return { kind: 'forked', commonHeight };
    if (pause.isNew) {
      const { returns, ms } = pause;
      this.logger.error(
        { source: this.source.name, commonHeight, returns, againInSeconds: Math.ceil(ms / 1_000) },
        'the source switches between two branches: it is followed again after a pause; name another BLOCK_SOURCE if this continues',
      );
    }
    return { kind: 'swinging' };
  }

  /** The source has another genesis block. Throws `ForeignChainError` unless another source has ours. */
  private async judgeForeign(): Promise<Verdict> {
    const { name } = this.source;
    this.genesisId = await findBlockId(this.pool, 1);
    this.distrust();
    try {
      await this.source.blockAt(1);
    } catch (error) {
      throw error instanceof NodeProtocolError ? new ForeignChainError(name) : error;
    }
    return { kind: 'changing' };
  }

  /**
   * The source's first block that is not ours, if it links to our block at `commonHeight`; null if it does not. In that
   * case the answers may be mixed: the node switched its fork, or another node took over.
   */
  private async branchAbove(commonHeight: number): Promise<Block | null> {
    const above = await this.source.blockAt(commonHeight + 1);
    if (above === null || above.id === (await findBlockId(this.pool, commonHeight + 1))) return null;
    return above.previousBlock === (await findBlockId(this.pool, commonHeight)) ? above : null;
  }

  /** Anyone can make a block with a valid id and signature, but only delegates may forge. Throws `NodeProtocolError`. */
  private async assertForger(block: Block): Promise<void> {
    const publicKeys = await listForgers(this.pool, block.height);
    if (publicKeys.length === 0) return;
    const forgers = { on: block.previousBlock, publicKeys };
    const problem = this.problemWith(block, forgers);
    if (problem === null) return;
    this.forgers = forgers;
    this.distrust();
    throw new NodeProtocolError(
      this.source.name,
      `Block ${block.height} from ${this.source.name} (${block.id}): ${problem}. Nothing is undone for this block. ` +
        `Set another BLOCK_SOURCE if this continues.`,
      { height: block.height },
    );
  }

  /** From now on, if a source returns a block that is known to be wrong, the next source is used. */
  private distrust(): void {
    if (this.isDistrusting) return;
    this.isDistrusting = true;
    this.source.distrust?.((block) => this.problemOf(block));
  }

  private problemOf(block: Block): string | null {
    const { genesisId } = this;
    if (block.height === 1 && genesisId !== null && block.id !== genesisId)
      return `its id is ${block.id}, but the genesis block of the index is ${genesisId}`;
    return this.forgers === null ? null : this.problemWith(block, this.forgers);
  }

  private problemWith(block: Block, { on, publicKeys }: Forgers): string | null {
    const { previousBlock, generatorPublicKey } = block;
    if (previousBlock !== on || publicKeys.includes(generatorPublicKey)) return null;
    if (isExcepted(block, this.network.exceptions)) return null;
    return `its generator ${generatorPublicKey} is not an active delegate of its round`;
  }
}
