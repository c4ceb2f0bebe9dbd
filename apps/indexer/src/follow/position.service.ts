import { Inject, Injectable } from '@nestjs/common';
import { readPosition, type Position } from '@roundhouse/storage';
import { Pool } from 'pg';

/** The injection token of the height at which this process ends its work; null if it follows the chain. */
export const LAST_HEIGHT = Symbol('last height');

/** Where index and source were when this process last read them. The source's height is limited by `lastHeight`. */
@Injectable()
export class PositionService {
  private seen: Position = { head: null, sourceHeight: null, checkedAt: null };

  constructor(
    @Inject(Pool) private readonly pool: Pool,
    @Inject(LAST_HEIGHT) readonly lastHeight: number | null,
  ) {}

  get current(): Position {
    return this.seen;
  }

  /** Blocks that the source has and the index does not; null until the source was asked. */
  get lag(): number | null {
    const { head, sourceHeight } = this.seen;
    return sourceHeight === null ? null : Math.max(sourceHeight - (head?.height ?? 0), 0);
  }

  async refresh(): Promise<Position> {
    const { sourceHeight, ...rest } = await readPosition(this.pool);
    const isAbove = sourceHeight !== null && sourceHeight > (this.lastHeight ?? Infinity);
    this.seen = { ...rest, sourceHeight: isAbove ? this.lastHeight : sourceHeight };
    return this.seen;
  }
}
