import { Inject, Injectable } from '@nestjs/common';
import type { Block } from '@roundhouse/chain';
import { refusedPauseMs } from '@roundhouse/jobs';
import { LOGGER } from '@roundhouse/logging';
import type { BlockSource } from '@roundhouse/source';
import { contentsHash, readStagedBlocks, refuseBlock } from '@roundhouse/storage';
import { Pool } from 'pg';
import type { Logger } from 'pino';
import { BulkBlocks } from '../bulk/bulk-blocks.service.js';
import { SOURCE } from '../indexer.config.js';

/** Records the blocks that cannot be applied, and says so. */
@Injectable()
export class Refusals {
  constructor(
    @Inject(Pool) private readonly pool: Pool,
    @Inject(SOURCE) private readonly source: BlockSource,
    @Inject(LOGGER) private readonly logger: Logger,
    private readonly bulk: BulkBlocks,
  ) {}

  /** A block passed all checks and cannot be applied. It is requested again, from another source if there is one. */
  async refuse(block: Block, problem: string): Promise<void> {
    const { height } = block;
    const reason =
      `Block ${height} cannot be applied: ${problem}. All blocks below it are indexed. Compare it with the same block of another node. If they ` +
      `agree, NETWORK lacks an exception, or a block below it is wrong (check with "indexer verify --against"); otherwise name another BLOCK_SOURCE.`;
    const contents = contentsHash(block);
    const [staged] = (await readStagedBlocks(this.pool, height)) ?? [];
    // It was read in bulk. What is staged at this height, if anything, is another block and may be right.
    if (staged === undefined || contentsHash(staged) !== contents) return this.refuseInBulk(height, reason);
    const { name } = this.source;
    const { source, refusals } = await refuseBlock(this.pool, { height, source: name, reason, contents });
    this.logger.error(
      { height, id: block.id, source, reason, times: refusals },
      'a block cannot be applied: it is dropped and requested again',
    );
  }

  /** Blocks from this height on are read again after a pause. */
  async refuseInBulk(height: number, reason: string): Promise<void> {
    const { name } = this.source;
    const { refusals } = await refuseBlock(this.pool, { height, source: name, reason, contents: null });
    const pauseMs = refusedPauseMs(refusals);
    this.bulk.rest(pauseMs);
    this.logger.error(
      { height, source: name, reason, times: refusals, againInSeconds: pauseMs / 1_000 },
      'the source is wrong at this height: all blocks below it are indexed, and it will be read again',
    );
  }
}
