import { Inject, Injectable } from '@nestjs/common';
import { JobQueues, type HeightRange } from '@roundhouse/jobs';
import type { BlockSource } from '@roundhouse/source';
import { findBlockId, listStagedRanges, writeSourceStatus, type StagedRange } from '@roundhouse/storage';
import { Pool } from 'pg';
import { ListIndexes } from '../apply/list-indexes.service.js';
import { SETTINGS, SOURCE, type IndexerSettings } from '../indexer.config.js';
import { FAR_BEHIND_BLOCKS, PositionService } from './current-state.js';
import { RangeSizer } from './range-sizer.js';
import { SourceWatch } from './source-watch.js';

export interface PlanInput {
  /** Height of the newest indexed block; 0 before the genesis block. */
  readonly head: number;
  /** Height of the newest block that the source has. */
  readonly tip: number;
  readonly staged: readonly StagedRange[];
  /** Ranges that have a job, or whose job has just failed. */
  readonly taken: readonly HeightRange[];
  /** How many blocks a range should hold. */
  readonly rangeBlocks: number;
  /** The estimated size of a block that is not staged yet. */
  readonly bytesPerBlock: number;
  /** The most ranges that have jobs at a time. */
  readonly maxJobs: number;
  /** The limit for staged ranges and those that are being fetched. */
  readonly maxStagedBytes: number;
}

const byFrom = (a: HeightRange, b: HeightRange): number => a.from - b.from;

/**
 * The ranges to fetch now, ascending: the gaps above the head that are neither staged nor taken, within the limits of
 * jobs and bytes. The range right above the head is planned regardless of limits, because everything waits for it.
 */
export const planRanges = (input: PlanInput): HeightRange[] => {
  const { head, tip, staged, taken, rangeBlocks, bytesPerBlock } = input;
  const covered = [...staged, ...taken].sort(byFrom);
  const planned: HeightRange[] = [];
  let jobs = input.maxJobs - taken.length;
  let bytes = input.maxStagedBytes;
  for (const { sizeBytes } of staged) bytes -= sizeBytes;
  for (const { from, to } of taken) bytes -= (to - from + 1) * bytesPerBlock;

  let next = head + 1;
  for (const ahead of [...covered, { from: tip + 1, to: tip }]) {
    while (next < ahead.from && next <= tip) {
      const isDue = next === head + 1;
      if (!isDue && (jobs <= 0 || bytes <= 0)) return planned;
      const to = Math.min(next + rangeBlocks, tip + 1, ahead.from) - 1;
      planned.push({ from: next, to });
      jobs -= 1;
      bytes -= (to - next + 1) * bytesPerBlock;
      next = to + 1;
    }
    next = Math.max(next, ahead.to + 1);
  }
  return planned;
};

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
    private readonly lists: ListIndexes,
  ) {}

  async poll(): Promise<void> {
    // Without an answer, the next heartbeat asks again.
    const tip = await this.watch.answerOf(this.source.tip());
    if (tip === null) return;
    await writeSourceStatus(this.pool, this.source.name, tip.height, this.settings.POLL_INTERVAL_MS);
    // If the source is ahead, the next block's link shows a fork.
    const ours = await findBlockId(this.pool, tip.height);
    if (ours !== null && ours !== tip.id) await this.queues.apply('fork', this.settings.POLL_INTERVAL_MS);
    await this.plan();
  }

  /** Adds jobs for the ranges that need one, and nudges apply if blocks are waiting or indexes are due. */
  async plan(): Promise<void> {
    if (this.source.segments !== undefined) {
      await this.position.refresh();
      if (this.isReadInBulk) return this.queues.apply('staged', this.settings.POLL_INTERVAL_MS);
    }
    // In this order, a range that moves from job to staged to applied is seen at least once.
    const taken = await this.queues.takenRanges(Date.now());
    const staged = await listStagedRanges(this.pool);
    const { head, sourceHeight } = await this.position.refresh();
    const next = (head?.height ?? 0) + 1;
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
    if (isWaiting || (this.lists.mayLack && (await this.lists.areDue())))
      await this.queues.apply('staged', this.settings.POLL_INTERVAL_MS);
  }

  /** Whether the missing blocks are read in bulk instead of fetched. */
  get isReadInBulk(): boolean {
    return this.source.segments !== undefined && (this.position.lag ?? 0) >= FAR_BEHIND_BLOCKS;
  }
}
