import { Injectable } from '@nestjs/common';
import type { Position } from '@roundhouse/storage';

/** What it looks at. */
type Seen = Pick<Position, 'head' | 'sourceHeight' | 'checkedAt'>;

/**
 * Measures how long the index stands still although there is something to do: the source is ahead, or it should have
 * been asked and was not.
 */
@Injectable()
export class Standstill {
  private since = performance.now();
  private isPollDue = false;
  private seen: Seen = { head: null, sourceHeight: null, checkedAt: null };

  /** The source should be asked now, by any process. */
  pollIsDue(): void {
    this.isPollDue = true;
  }

  /** In ms. Call it often: what happens between two calls is known only when the second is made. */
  lastsMs(position: Seen, now = performance.now()): number {
    const { head, sourceHeight, checkedAt } = position;
    const hasMoved = head?.id !== this.seen.head?.id;
    if (checkedAt !== this.seen.checkedAt) this.isPollDue = false;
    const isBehind = (sourceHeight ?? 0) > (head?.height ?? 0);
    if (hasMoved || !(isBehind || this.isPollDue)) this.since = now;
    this.seen = position;
    return now - this.since;
  }
}
