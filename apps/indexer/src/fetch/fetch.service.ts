import { Inject, Injectable } from '@nestjs/common';
import type { Block } from '@roundhouse/chain';
import { JobQueues, refusedPauseMs, type HeightRange } from '@roundhouse/jobs';
import { NodeProtocolError, type BlockSource } from '@roundhouse/source';
import {
  contentsHash,
  listRefusedContents,
  readRefusedBlock,
  refuseBlock,
  stageBlocks,
  type RefusedContents,
} from '@roundhouse/storage';
import { Pool } from 'pg';
import { PositionService } from '../follow/position.service.js';
import { RangeSizer } from '../follow/follow.service.js';
import { SourcePauses } from '../operations/source-pauses.js';
import { SOURCE } from '../indexer.config.js';

/**
 * The result for a range. `late`: the index already has it. `nothing`: the source no longer has it. `resting`: its
 * first block was refused just now, after an earlier refusal.
 */
export type FetchOutcome = 'staged' | 'late' | 'nothing' | 'resting';

export type GoOn = (staged: HeightRange) => Promise<void>;

/** Downloads a range and stages it. Running it twice changes nothing. */
@Injectable()
export class FetchService {
  private refused: readonly RefusedContents[] = [];
  /** The newest refusal that this process has seen, and when it first saw it (`performance.now()`). */
  private known = { height: 0, refusals: 0, since: 0 };

  constructor(
    @Inject(Pool) private readonly pool: Pool,
    @Inject(SOURCE) private readonly source: BlockSource,
    private readonly queues: JobQueues,
    private readonly position: PositionService,
    private readonly sizer: RangeSizer,
    private readonly pauses: SourcePauses,
  ) {
    source.distrust?.((block) => this.problemOf(block));
  }

  /** `goOn` is called with what is staged. */
  async fetch({ from, to }: HeightRange, goOn: GoOn): Promise<FetchOutcome> {
    const { head } = await this.position.refresh();
    const first = Math.max(from, (head?.height ?? 0) + 1);
    if (first > to) return 'late';
    if (await this.isResting(first)) return 'resting';
    this.refused = await listRefusedContents(this.pool);
    try {
      return await this.stage({ from: first, to }, goOn);
    } catch (error) {
      if (!(error instanceof NodeProtocolError)) throw error;
      const { height, source, message: reason } = error;
      // The source may have told it.
      const isAsked = Number.isInteger(height) && height! >= first && height! <= to;
      const wrong = isAsked ? height! : first;
      await refuseBlock(this.pool, { height: wrong, source, reason, contents: null });
      // Good blocks below a wrong one need not wait until that is fixed.
      if (wrong > first) await this.stage({ from: first, to: wrong - 1 }, goOn);
      throw error;
    }
  }

  /** After the first refusal at a height, the block is requested again at once; after further ones, after growing pauses. */
  private async isResting(height: number): Promise<boolean> {
    const refused = await readRefusedBlock(this.pool);
    if (refused?.height !== height || refused.refusals < 2) return false;
    const { refusals, ageMs } = refused;
    if (this.known.height !== height || this.known.refusals !== refusals) {
      this.known = { height, refusals, since: performance.now() };
    }
    // The database's clock may go back, so the pause also counts from when this process first saw the refusal.
    const restedMs = Math.max(ageMs, performance.now() - this.known.since);
    return restedMs < refusedPauseMs(refusals - 1);
  }

  /** What an apply worker, in any process, found wrong with exactly this block. */
  private problemOf(block: Block): string | null {
    const refused = this.refused.find(({ height }) => height === block.height);
    return refused?.contents.includes(contentsHash(block))
      ? 'the index could not apply exactly this block'
      : null;
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
    // Waiting for the node's rate limit says nothing about its speed.
    if (!wasPaused && this.pauses.count === pausesBefore) {
      this.sizer.observe({ blocks: blocks.length, bytes, durationMs });
    }
    await goOn({ from, to: last.height });
    if (last.height < (this.position.current.sourceHeight ?? 0)) await this.queues.plan();
    return 'staged';
  }
}
