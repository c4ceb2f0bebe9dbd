import { Inject, Injectable } from '@nestjs/common';
import { readPosition, type Position } from '@roundhouse/storage';
import { Pool } from 'pg';

/** The injection token of the height at which this process ends its work; null if it follows the chain to its end. */
export const LAST_HEIGHT = Symbol('last height');

/**
 * With fewer missing blocks than this, fetching and staging them is faster than opening an archive or a database. With more,
 * the newest tip and the indexes of lists can wait.
 */
export const FAR_BEHIND_BLOCKS = 1_000;

/** Where index and source were when this process last read them. The source's height is limited by `lastHeight`. */
@Injectable()
export class PositionService {
  private seen: Position = { head: null, sourceHeight: null, finalHeight: null, checkedAt: null };

  constructor(
    @Inject(Pool) private readonly pool: Pool,
    @Inject(LAST_HEIGHT) private readonly asked: number | null,
  ) {}

  /** The last height to apply; Infinity if there is no limit. */
  get lastHeight(): number {
    return Math.min(this.asked ?? Infinity, this.seen.finalHeight ?? Infinity);
  }

  get current(): Position {
    return this.seen;
  }

  /** Blocks that the source has and the index does not; null until the source was asked. */
  get lag(): number | null {
    const { head, sourceHeight } = this.seen;
    return sourceHeight === null ? null : Math.max(sourceHeight - (head?.height ?? 0), 0);
  }

  async refresh(): Promise<Position> {
    this.seen = await readPosition(this.pool);
    const { sourceHeight } = this.seen;
    if (sourceHeight !== null)
      this.seen = { ...this.seen, sourceHeight: Math.min(sourceHeight, this.lastHeight) };
    return this.seen;
  }
}
