import { setImmediate as nextTurn } from 'node:timers/promises';
import { beforeEach, describe, expect, it } from '@jest/globals';
import { Renderings } from './renderings.service.js';

describe('the pages that are made at once', () => {
  let renderings: Renderings;
  beforeEach(() => {
    renderings = new Renderings();
  });

  it('are rendered in the order in which they are ready, one in a turn of the event loop', async () => {
    const rendered: string[] = [];
    const all = ['a', 'b', 'c', 'd'].map(async (name) =>
      rendered.push(await renderings.inTurn(() => Promise.resolve(name))),
    );
    const perTurn: number[] = [];
    while (rendered.length < 4) {
      const before = rendered.length;
      await nextTurn();
      perTurn.push(rendered.length - before);
    }
    await Promise.all(all);
    expect(rendered).toEqual(['a', 'b', 'c', 'd']);
    expect(Math.max(...perTurn)).toBe(1);
  });
});
