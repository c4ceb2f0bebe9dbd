import { Inject, Injectable } from '@nestjs/common';
import { readPosition, type Position } from '@roundhouse/storage';
import { Pool } from 'pg';

/** Where index and source were when this process last looked. */
@Injectable()
export class PositionService {
  private seen: Position = { head: null, sourceHeight: null };

  constructor(@Inject(Pool) private readonly pool: Pool) {}

  get current(): Position {
    return this.seen;
  }

  /** Blocks that the source has and the index has not; null before the source was asked. */
  get lag(): number | null {
    const { head, sourceHeight } = this.seen;
    return sourceHeight === null ? null : Math.max(sourceHeight - (head?.height ?? 0), 0);
  }

  async refresh(): Promise<Position> {
    this.seen = await readPosition(this.pool);
    return this.seen;
  }
}
