import { setImmediate as nextTurn } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import { NotReadyError } from '../chain/not-ready.error.js';

/** Some hundred milliseconds' worth of them: one more would only make all of them wait longer. */
const MOST_AT_ONCE = 32;

/**
 * Bounds how many pages are made at once. To render one keeps the processor, so they are rendered one in each turn of the
 * event loop: answers that are ready go out in between.
 */
@Injectable()
export class Renderings {
  private count = 0;
  private turn: Promise<unknown> = Promise.resolve();

  /** Gives what `prepare` does when it may be rendered, which is to be done at once. Throws `NotReadyError` beyond the bound. */
  async inTurn<T>(prepare: () => Promise<T>): Promise<T> {
    if (this.count >= MOST_AT_ONCE) {
      throw new NotReadyError('Too many pages are being made already; try again in a moment.');
    }
    this.count += 1;
    try {
      const prepared = await prepare();
      this.turn = this.turn.then(() => nextTurn());
      await this.turn;
      return prepared;
    } finally {
      this.count -= 1;
    }
  }
}
