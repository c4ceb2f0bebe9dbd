import { Inject, Injectable } from '@nestjs/common';
import { JobQueues, type HeightRange } from '@roundhouse/jobs';
import { NodeProtocolError, type BlockSource } from '@roundhouse/source';
import { stageBlocks } from '@roundhouse/storage';
import { Pool } from 'pg';
import { PositionService } from '../follow/position.service.js';
import { RangeSizer } from '../follow/range-sizer.js';
import { SOURCE } from '../source.provider.js';

/** What became of a range: `late` means that the index has it already, `nothing` that the source has it no more. */
export type FetchOutcome = 'staged' | 'late' | 'nothing';

/** Downloads a range and stages it. Twice changes nothing. */
@Injectable()
export class FetchService {
  constructor(
    @Inject(Pool) private readonly pool: Pool,
    @Inject(SOURCE) private readonly source: BlockSource,
    private readonly queues: JobQueues,
    private readonly position: PositionService,
    private readonly sizer: RangeSizer,
  ) {}

  async fetch({ from, to }: HeightRange): Promise<FetchOutcome> {
    const { head } = await this.position.refresh();
    const first = Math.max(from, (head?.height ?? 0) + 1);
    if (first > to) return 'late';
    try {
      return await this.stage({ from: first, to });
    } catch (error) {
      const wrong = error instanceof NodeProtocolError ? error.height : undefined;
      // What is right below a wrong block need not wait until that is mended.
      if (wrong !== undefined && wrong > first && wrong <= to) {
        await this.stage({ from: first, to: wrong - 1 });
      }
      throw error;
    }
  }

  private async stage({ from, to }: HeightRange): Promise<FetchOutcome> {
    const started = performance.now();
    const blocks = await this.source.blocks(from, to);
    const durationMs = performance.now() - started;
    const last = blocks.at(-1);
    if (last === undefined) return 'nothing';
    const bytes = await stageBlocks(this.pool, blocks);
    this.sizer.observe({ blocks: blocks.length, bytes, durationMs });
    await this.queues.applyStaged({ from, to: last.height });
    await this.queues.plan();
    return 'staged';
  }
}
