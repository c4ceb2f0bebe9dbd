import { Inject, Injectable } from '@nestjs/common';
import { JobQueues, type HeightRange } from '@roundhouse/jobs';
import type { BlockSource } from '@roundhouse/source';
import { stageBlocks } from '@roundhouse/storage';
import { Pool } from 'pg';
import { PositionService } from '../follow/current-state.js';
import { RangeSizer } from '../follow/range-sizer.js';
import { SourcePauses } from '../operations/source-pauses.js';
import { SOURCE } from '../indexer.config.js';
import { FetchRefusals } from './fetch-refusals.service.js';

/**
 * The result for a range. `late`: the index already has it. `nothing`: the source no longer has it. `resting`: its
 * first block was refused just now, after an earlier refusal.
 */
export type FetchOutcome = 'staged' | 'late' | 'nothing' | 'resting';

export type GoOn = (staged: HeightRange) => Promise<void>;

/** Downloads a range and stages it. Running it twice changes nothing. */
@Injectable()
export class FetchService {
  constructor(
    @Inject(Pool) private readonly pool: Pool,
    @Inject(SOURCE) private readonly source: BlockSource,
    private readonly queues: JobQueues,
    private readonly position: PositionService,
    private readonly sizer: RangeSizer,
    private readonly pauses: SourcePauses,
    private readonly refusals: FetchRefusals,
  ) {}

  /** `goOn` is called with what is staged. */
  async fetch({ from, to }: HeightRange, goOn: GoOn): Promise<FetchOutcome> {
    const { head, hasRefusals } = await this.position.refresh();
    const first = Math.max(from, (head?.height ?? 0) + 1);
    if (first > to) return 'late';
    if ((hasRefusals || this.refusals.areKnown) && (await this.refusals.isResting(first))) return 'resting';
    try {
      return await this.stage({ from: first, to }, goOn);
    } catch (error) {
      const wrong = await this.refusals.note(error, { from: first, to });
      // Good blocks below a wrong one need not wait until that is fixed.
      if (wrong > first) await this.stage({ from: first, to: wrong - 1 }, goOn);
      throw error;
    }
  }

  private async stage({ from, to }: HeightRange, goOn: GoOn): Promise<FetchOutcome> {
    const started = performance.now();
    const pausesBefore = this.pauses.count;
    const wasPaused = this.pauses.current !== null;
    const blocks = await this.source.blocks(from, to);
    const durationMs = performance.now() - started;
    const last = blocks.at(-1);
    if (last === undefined) return 'nothing';
    const bytes = await stageBlocks(this.pool, blocks, this.source.name);
    // Neither one block at the tip nor a wait for the node's rate limit says how fast it is.
    if (blocks.length > 1 && !wasPaused && this.pauses.count === pausesBefore) {
      this.sizer.observe({ blocks: blocks.length, bytes, durationMs });
    }
    await goOn({ from, to: last.height });
    if (last.height < (this.position.current.sourceHeight ?? 0)) await this.queues.plan();
    return 'staged';
  }
}
