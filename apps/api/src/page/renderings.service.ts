import { setImmediate as nextTurn } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import { NotReadyError } from '../chain/not-ready.error.js';

/** Rendering this many takes some hundred milliseconds; accepting more would only make all of them wait longer. */
const MOST_AT_ONCE = 32;

/**
 * Limits how many pages are made at once. Rendering one blocks the event loop, so each turn renders only one: ready
 * answers are sent in between.
 */
@Injectable()
export class Renderings {
  private count = 0;
  private turn: Promise<unknown> = Promise.resolve();

  /**
   * Resolves with the result of `prepare` when its page may be rendered; render it at once. Throws `NotReadyError`
   * beyond the limit.
   */
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
