import { Inject, Injectable } from '@nestjs/common';
import type { BlockRef } from '@roundhouse/chain';
import { JobQueues, type HeightRange } from '@roundhouse/jobs';
import type { BlockSource } from '@roundhouse/source';
import { findBlockId, listStagedRanges, writeSourceStatus } from '@roundhouse/storage';
import { Pool } from 'pg';
import { ListIndexes } from '../apply/list-indexes.service.js';
import { SETTINGS, SOURCE, type IndexerSettings } from '../indexer.config.js';
import { BulkBlocks } from '../bulk/bulk-blocks.service.js';
import { planRanges, RangeSizer } from './plan-ranges.js';
import { PositionService } from './position.service.js';
import { SourceWatch } from './source-watch.js';

/** All processes together may have this many times the fetch jobs that one process runs at once. */
const JOBS_PER_SLOT = 4;

/** Asks the source for its tip and plans what to fetch. It keeps no cursor: it reads the tables each time. */
@Injectable()
export class FollowService {
  constructor(
    @Inject(Pool) private readonly pool: Pool,
    @Inject(SOURCE) private readonly source: BlockSource,
    @Inject(SETTINGS) private readonly settings: IndexerSettings,
    private readonly queues: JobQueues,
    private readonly position: PositionService,
    private readonly sizer: RangeSizer,
    private readonly watch: SourceWatch,
    private readonly bulk: BulkBlocks,
    private readonly lists: ListIndexes,
  ) {}

  async poll(): Promise<void> {
    // Without an answer, the next heartbeat asks again.
    const tip = await this.watch.answerOf(this.source.tip());
    if (tip === null) return;
    await writeSourceStatus(this.pool, this.source.name, tip.height, this.settings.POLL_INTERVAL_MS);
    if (await this.isForked(tip)) await this.queues.apply('fork', this.settings.POLL_INTERVAL_MS);
    await this.plan();
  }

  /** Adds jobs for the ranges that need one, and nudges apply if blocks are waiting or indexes are due. */
  async plan(): Promise<void> {
    // In this order, a range that moves from job to staged to applied is seen at least once.
    const taken = await this.queues.takenRanges(Date.now());
    const staged = await listStagedRanges(this.pool);
    const { head, sourceHeight } = await this.position.refresh();
    const next = (head?.height ?? 0) + 1;
    if (this.bulk.isDue(next, sourceHeight ?? 0)) {
      await this.queues.apply('staged', this.settings.POLL_INTERVAL_MS);
      return;
    }
    const ranges = planRanges({
      head: next - 1,
      tip: sourceHeight ?? 0,
      staged,
      taken,
      rangeBlocks: this.sizer.rangeBlocks,
      bytesPerBlock: this.sizer.bytesPerBlock,
      maxJobs: this.settings.FETCH_CONCURRENCY * JOBS_PER_SLOT,
      maxStagedBytes: this.settings.STAGED_MAX_BYTES,
    });
    await this.queues.fetch(ranges);
    const isWaiting = staged.some(({ from, to }) => from <= next && next <= to);
    if (isWaiting || (await this.lists.areDue()))
      await this.queues.apply('staged', this.settings.POLL_INTERVAL_MS);
  }

  /** The range right above the head, whatever jobs the queues hold for it; null if it is staged or need not be fetched. */
  async missingRange(): Promise<HeightRange | null> {
    const staged = await listStagedRanges(this.pool);
    const { head, sourceHeight } = await this.position.refresh();
    const height = head?.height ?? 0;
    const tip = sourceHeight ?? 0;
    if (this.bulk.isDue(height + 1, tip)) return null;
    const { rangeBlocks, bytesPerBlock } = this.sizer;
    const none = { taken: [], maxJobs: 0, maxStagedBytes: 0 };
    return planRanges({ head: height, tip, staged, rangeBlocks, bytesPerBlock, ...none })[0] ?? null;
  }

  /** Whether we have another block at the tip's height. If the source is ahead, the next block's link shows a fork. */
  private async isForked(tip: BlockRef): Promise<boolean> {
    const ours = await findBlockId(this.pool, tip.height);
    return ours !== null && ours !== tip.id;
  }
}
