import { setImmediate as nextTurn } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';

/** Rendering a page blocks the event loop, so each turn renders only one: ready answers are sent in between. */
@Injectable()
export class Renderings {
  private turn: Promise<unknown> = Promise.resolve();

  /** Resolves with the result of `prepare` when its page may be rendered; render it at once. */
  async inTurn<T>(prepare: () => Promise<T>): Promise<T> {
    const prepared = await prepare();
    this.turn = this.turn.then(() => nextTurn());
    await this.turn;
    return prepared;
  }
}
