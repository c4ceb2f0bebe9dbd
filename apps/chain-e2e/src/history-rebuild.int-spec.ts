import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { AppProcess, eventually } from '@roundhouse/testing';
import { AskingReader } from './history/asking-reader.js';
import { ServedIndex } from './served-index.js';

const DELEGATE = '03287bfebba4c7881a0509717e71b34b63f31e40021c321f89ae04f84be6d6ac37';
const HEIGHTS = [1, 51, 89, 153, 250, 322];
const PATHS = [
  ...HEIGHTS.flatMap((height) => [
    `/api/history/supply?height=${height}`,
    `/api/history/delegates?height=${height}`,
    `/api/history/delegates/${DELEGATE}/voters?height=${height}`,
    `/api/history/accounts/${DELEGATE}?height=${height}`,
  ]),
  `/api/history/accounts/${DELEGATE}/changes`,
  `/api/history/delegates/${DELEGATE}/rounds`,
  `/api/history/delegates/${DELEGATE}/payouts?from=1&to=322`,
  `/api/history/delegates/${DELEGATE}/payouts?from=1&to=322&format=csv`,
];

describe('indexer rebuild, while an api serves a recorded chain', () => {
  let served: ServedIndex;
  let right: ReadonlyMap<string, string>;

  beforeAll(async () => {
    served = await ServedIndex.open('core-3.9');
    const kept = await ServedIndex.open('core-3.9', undefined, { keepsHistory: true });
    const bodies = new Map<string, string>();
    for (const path of PATHS) {
      const { status, body } = await kept.request(path);
      expect({ path, status }).toEqual({ path, status: 200 });
      bodies.set(path, body);
    }
    right = bodies;
    await kept.close();
  });
  afterAll(() => served.close());

  const rebuild = async (history: 'full' | 'off'): Promise<void> => {
    const environment = { DATABASE_URL: served.index.url, HISTORY: history };
    const { code, stderr } = await new AppProcess('indexer', ['rebuild'], environment).ended;
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  };

  const expectStatus = async (expected: number): Promise<void> => {
    for (const path of PATHS) {
      const { status, body } = await served.request(path);
      expect({ path, status }).toEqual({ path, status: expected });
      if (status === 200) expect(body).toBe(right.get(path));
      else expect(body).toMatch(/HISTORY=full/);
    }
  };

  /** The api learns of a rebuild as it learns of a new block. */
  const untilStatus = (expected: number): Promise<unknown> =>
    eventually(`${expected}`, async () => (await served.request(PATHS[0]!)).status === expected);

  it('builds history and drops it: answers are 501 or right at any moment, and change once each time', async () => {
    await expectStatus(501);
    const reader = new AskingReader(served, right);
    await rebuild('full');
    await untilStatus(200);
    await expectStatus(200);
    await rebuild('off');
    await untilStatus(501);
    await expectStatus(501);
    await reader.stop();
    expect(reader.problems).toEqual([]);
    expect(reader.statuses).toEqual([501, 200, 501]);
  });
});
