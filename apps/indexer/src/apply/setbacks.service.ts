import { Inject, Injectable } from '@nestjs/common';
import type { BlockRef } from '@roundhouse/chain';
import { JobQueues } from '@roundhouse/jobs';
import { LOGGER } from '@roundhouse/logging';
import { NodeProtocolError } from '@roundhouse/source';
import { dropStagedAt } from '@roundhouse/storage';
import { Pool } from 'pg';
import type { Logger } from 'pino';
import { BulkBlocks } from '../bulk/bulk-blocks.service.js';
import { PositionService } from '../follow/current-state.js';
import { ForkFollower } from '../fork/fork-follower.service.js';
import { Metrics } from '../operations/metrics.service.js';
import type { ApplyOutcome } from './apply-options.js';
import { Refusals } from './refusals.service.js';

/** A source that is read in bulk is wrong at this height. */
interface Unreadable {
  readonly kind: 'unreadable';
  readonly height: number;
  readonly reason: string;
}

type Setback = Exclude<ApplyOutcome, { kind: 'applied' }> | Unreadable;

interface Undoing {
  undoTo(height: number): Promise<BlockRef>;
}

/** What is done if the next block cannot be read or applied, or does not follow the head. */
@Injectable()
export class Setbacks {
  /** Called after blocks were undone. */
  onUndone: () => void = () => undefined;

  constructor(
    @Inject(Pool) private readonly pool: Pool,
    @Inject(LOGGER) private readonly logger: Logger,
    private readonly queues: JobQueues,
    private readonly position: PositionService,
    private readonly forks: ForkFollower,
    private readonly metrics: Metrics,
    private readonly bulk: BulkBlocks,
    private readonly refusals: Refusals,
  ) {}

  /** The outcome if a bulk read has met a wrong block; throws any other error. Staged blocks come from the database. */
  unreadable(error: Error): Unreadable {
    if (!(error instanceof NodeProtocolError) || error.height === undefined) throw error;
    this.metrics.countSourceError(error);
    return { kind: 'unreadable', height: error.height, reason: error.message };
  }

  /** True if a block is refused; false if applying may go on. */
  async settle(setback: Setback, apply: Undoing): Promise<boolean> {
    switch (setback.kind) {
      case 'refused':
        await this.refusals.refuse(setback.block, setback.reason);
        return true;
      case 'unreadable':
        await this.refusals.refuseInBulk(setback.height, setback.reason);
        return true;
      case 'mismatch':
        return this.settleMismatch(setback.height, setback.head, apply);
    }
  }

  /** Whether the source has forked: then our blocks above the common height are undone. */
  async followFork(apply: Undoing, head: BlockRef): Promise<boolean> {
    const commonHeight = await this.forks.follow(head, (height) => apply.undoTo(height));
    if (commonHeight === null) return false;
    this.bulk.lastHeight = Math.min(this.bulk.lastHeight, commonHeight);
    this.onUndone();
    await this.position.refresh();
    await this.queues.plan();
    return true;
  }

  /**
   * Blocks do not link to the head: the source has forked, or they are from an abandoned branch. True if the source itself has
   * such blocks, which were read in bulk.
   */
  private async settleMismatch(height: number, head: BlockRef, apply: Undoing): Promise<boolean> {
    if (await this.followFork(apply, head)) return false;
    if (height <= this.bulk.lastHeight) {
      await this.refusals.refuseInBulk(height, `it does not follow block ${head.height} (${head.id})`);
      return true;
    }
    await dropStagedAt(this.pool, height);
    this.logger.warn({ height, head: head.id }, 'dropped staged blocks that do not link to the head');
    return false;
  }
}
