import { Inject, Injectable } from '@nestjs/common';
import type { Block } from '@roundhouse/chain';
import { refusedPauseMs, type HeightRange } from '@roundhouse/jobs';
import { NodeProtocolError, type BlockSource } from '@roundhouse/source';
import {
  contentsHash,
  listRefusedContents,
  readRefusedBlock,
  refuseBlock,
  type RefusedContents,
} from '@roundhouse/storage';
import { Pool } from 'pg';
import { SOURCE } from '../indexer.config.js';

/** What refused blocks mean for fetching: when one is requested again, and which contents are not accepted. */
@Injectable()
export class FetchRefusals {
  /** Whether contents are not accepted since `isResting` was called last. */
  areKnown = false;
  private contents: readonly RefusedContents[] = [];
  private isDistrusting = false;
  /** The newest refusal that this process has seen, and when it first saw it (`performance.now()`). */
  private known = { height: 0, refusals: 0, since: 0 };

  constructor(
    @Inject(Pool) private readonly pool: Pool,
    @Inject(SOURCE) private readonly source: BlockSource,
  ) {}

  /**
   * Whether the block at `height` is not requested yet. After its first refusal, it is requested again at once; after further
   * ones, after growing pauses. From now on, contents that an apply worker refused, in any process, are not accepted.
   */
  async isResting(height: number): Promise<boolean> {
    const refused = await readRefusedBlock(this.pool);
    if (refused?.height === height && refused.refusals >= 2) {
      const { refusals, ageMs } = refused;
      if (this.known.height !== height || this.known.refusals !== refusals) {
        this.known = { height, refusals, since: performance.now() };
      }
      // The database's clock may go back, so the pause also counts from when this process first saw the refusal.
      const restedMs = Math.max(ageMs, performance.now() - this.known.since);
      if (restedMs < refusedPauseMs(refusals - 1)) return true;
    }
    this.contents = await listRefusedContents(this.pool);
    this.areKnown = this.contents.length > 0;
    if (this.areKnown && !this.isDistrusting) {
      this.isDistrusting = true;
      this.source.distrust?.((block) => this.problemOf(block));
    }
    return false;
  }

  /**
   * Stores that the source has returned a wrong block of a range; returns its height. Throws `error` itself if that
   * says nothing about a block.
   */
  async note(error: unknown, { from, to }: HeightRange): Promise<number> {
    if (!(error instanceof NodeProtocolError)) throw error;
    const { height, source, message: reason } = error;
    // The source may have told it.
    const isAsked = Number.isInteger(height) && height! >= from && height! <= to;
    const wrong = isAsked ? height! : from;
    await refuseBlock(this.pool, { height: wrong, source, reason, contents: null });
    return wrong;
  }

  private problemOf(block: Block): string | null {
    const refused = this.contents.find(({ height }) => height === block.height);
    return refused?.contents.includes(contentsHash(block))
      ? 'the index could not apply exactly this block'
      : null;
  }
}
