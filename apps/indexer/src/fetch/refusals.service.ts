import { Injectable } from '@nestjs/common';

/** The blocks of a source from `height` on cannot be right. */
export interface Refusal {
  readonly height: number;
  /** How often in a row it was refused at this height. */
  readonly times: number;
  readonly reason: Error;
}

/** What of the source was refused by this process, for those who wait for it: the newest refusal at each height. */
@Injectable()
export class Refusals {
  private byHeight = new Map<number, Refusal>();

  note(height: number, reason: Error): void {
    const times = (this.byHeight.get(height)?.times ?? 0) + 1;
    this.byHeight.set(height, { height, times, reason });
  }

  /** What keeps an index from going on that has all blocks below `height`; null where nothing does. */
  at(height: number): Refusal | null {
    for (const passed of this.byHeight.keys()) if (passed < height) this.byHeight.delete(passed);
    return this.byHeight.get(height) ?? null;
  }
}
