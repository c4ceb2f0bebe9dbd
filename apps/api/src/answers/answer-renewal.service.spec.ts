import { describe, expect, it } from '@jest/globals';
import type { HeightResponseDto } from '@roundhouse/dto';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { MakeContent } from './answer-request.js';
import { startAnswers } from './answers.harness.js';

const settle = async (condition: () => boolean): Promise<void> => {
  while (!condition()) await nextTurn();
};

/** Waits until everything pending has happened. */
const rest = async (): Promise<void> => {
  for (let turn = 0; turn < 50; turn += 1) await nextTurn();
};

/** Notes which answers are made for which head, and how many at a time. */
const countMaking = (heightOf: MakeContent<HeightResponseDto>) => {
  let running = 0;
  const begun: { readonly key: string; readonly height: number; readonly running: number }[] = [];
  return {
    /** Those for the head of this height, in their order. */
    begunAt: (height: number) => begun.filter((each) => each.height === height),
    makerOf:
      (key: string): MakeContent<HeightResponseDto> =>
      async (chain) => {
        running += 1;
        begun.push({ key, height: chain.head.height, running });
        await nextTurn();
        running -= 1;
        return heightOf(chain);
      },
  };
};

const mostRunning = (begun: readonly { readonly running: number }[]): number =>
  Math.max(...begun.map(({ running }) => running));

describe('AnswerRenewal', () => {
  it('does not make answers again that cost too much', async () => {
    const { get, tracker, renewal, timesMade } = startAnswers();
    for (const key of ['a', 'a', 'a']) await get(key, { isRenewed: false });
    for (const key of ['b', 'b']) await get(key);
    tracker.moveTo(2);
    await settle(() => renewal.count === 1);
    await rest();
    expect([renewal.count, timesMade()]).toEqual([1, 3]);
  });

  it('remembers popular answers across a head without requests, and forgets them after some heads', async () => {
    const { get, tracker, renewal } = startAnswers();
    for (let turn = 0; turn < 9; turn += 1) await get('a');
    for (const [height, count] of [
      [2, 1],
      [3, 2],
      [4, 3],
      [5, 3],
      [6, 3],
    ] as const) {
      tracker.moveTo(height);
      await settle(() => renewal.count === count);
      await rest();
    }
    expect(renewal.count).toBe(3);
  });

  it('makes no more than a hundred, the most popular first, and three at a time', async () => {
    const { get, tracker, renewal, heightOf } = startAnswers();
    const { begunAt, makerOf } = countMaking(heightOf);
    for (let key = 0; key < 150; key += 1)
      for (let turn = 0; turn < 2 + (key % 3); turn += 1)
        await get(String(key), { makeContent: makerOf(String(key)) });
    tracker.moveTo(2);
    await settle(() => renewal.count === 100);
    await rest();
    expect([mostRunning(begunAt(2)), renewal.count]).toEqual([3, 100]);
    const ranks = begunAt(2).map(({ key }) => Number(key) % 3);
    expect(ranks).toEqual([...Array<number>(50).fill(2), ...Array<number>(50).fill(1)]);
  });

  it('turns to the newest head at once, and never makes more than three at a time', async () => {
    const { get, tracker, heightOf } = startAnswers();
    const { begunAt, makerOf } = countMaking(heightOf);
    for (let key = 0; key < 30; key += 1)
      for (let turn = 0; turn < 40; turn += 1) await get(String(key), { makeContent: makerOf(String(key)) });
    tracker.moveTo(2);
    await nextTurn();
    tracker.moveTo(3);
    await settle(() => begunAt(3).length === 30);
    await rest();
    expect(begunAt(2).length).toBeLessThan(10);
    expect([begunAt(3).length, mostRunning([...begunAt(2), ...begunAt(3)])]).toEqual([30, 3]);
  });

  it('makes the other answers after a failure, and passes the failure to the requests that ask', async () => {
    const { get, tracker, renewal, heightOf } = startAnswers();
    const makeContent: MakeContent<HeightResponseDto> = (chain) => {
      if (chain.head.height === 2) throw new Error('broken');
      return heightOf(chain);
    };
    for (const key of ['a', 'a', 'a']) await get(key, { makeContent });
    for (const key of ['b', 'b']) await get(key);
    tracker.moveTo(2);
    await settle(() => renewal.count === 1);
    expect(await get('b')).toBe(2);
    await expect(get('a', { makeContent })).rejects.toThrow('broken');
  });
});
