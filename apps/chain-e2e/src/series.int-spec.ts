import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { pastDelegates } from './history/past-answers.js';
import { headOf } from './recorded-chains.js';
import { ServedIndex } from './served-index.js';

const CHAIN = 'core-3.9-full';

interface Point {
  readonly time: string;
  readonly height: number;
}

interface Amounts {
  readonly balance: bigint | number;
  readonly locked: bigint | number;
}

const DAY_MS = 86_400_000;

/** When the period begins that a time is in, without the arithmetic of the api. */
const BEGINS: Readonly<Record<string, (time: Date) => string>> = {
  day: (time) => time.toISOString().slice(0, 10),
  week: (time) => {
    let day = time.getTime();
    while (new Date(day).getUTCDay() !== 1) day -= DAY_MS;
    return new Date(day).toISOString().slice(0, 10);
  },
  month: (time) => `${time.toISOString().slice(0, 7)}-01`,
};

describe('series of a chain with days without blocks', () => {
  let served: ServedIndex;
  let times: readonly Date[];

  beforeAll(async () => {
    served = await ServedIndex.open(CHAIN, undefined, { keepsHistory: true });
    const { index } = served;
    const network = await index.client.query<{ epoch: string }>(
      `SELECT configuration -> 'milestones' -> 0 ->> 'epoch' AS epoch FROM network`,
    );
    const epoch = Date.parse(network.rows[0]!.epoch);
    const blocks = await index.client.query<{ timestamp: number }>(
      'SELECT "timestamp" FROM blocks ORDER BY height',
    );
    times = blocks.rows.map(({ timestamp }) => new Date(epoch + timestamp * 1000));
  });
  afterAll(() => served.close());

  /** The last height up to the end of each period, by the day when it begins. */
  const lastHeights = (step: string, first = times[0]!): Map<string, number> => {
    const begins = BEGINS[step]!;
    const heights = new Map<string, number>();
    let height = 0;
    for (let day = first.getTime(); ; day += DAY_MS) {
      const begin = begins(new Date(day));
      while (height < times.length && begins(times[height]!) <= begin) height += 1;
      heights.set(begin, height);
      if (height === times.length) return heights;
    }
  };

  const pointsOf = async <T>(path: string): Promise<readonly (T & Point)[]> =>
    (await served.found<{ points: readonly (T & Point)[] }>(path)).points;

  it.each(['day', 'week', 'month'])('has a point for each %s', async (step) => {
    const { address } = (
      await served.index.client.query<{ address: string }>('SELECT address FROM accounts WHERE number = 1')
    ).rows[0]!;
    const points = await pointsOf<Amounts>(`/api/history/accounts/${address}/series?step=${step}`);
    expect(points.map(({ time, height }) => [time.slice(0, 10), height])).toEqual([...lastHeights(step)]);
    expect(new Set(points.map(({ height }) => height)).size).toBeGreaterThan(step === 'month' ? 1 : 3);
  });

  it('has the values that history has at these heights, from the first block of an account on', async () => {
    const { rows } = await served.index.client.query<{ address: string }>(
      'SELECT address FROM accounts WHERE number % 40 = 0 OR locked <> 0 ORDER BY number LIMIT 12',
    );
    let unknown = 0;
    for (const { address } of rows) {
      const points = await pointsOf<Amounts>(`/api/history/accounts/${address}/series`);
      const known = new Map(points.map(({ height, balance, locked }) => [height, { balance, locked }]));
      for (const height of new Set(lastHeights('day').values())) {
        const { body } = await served.answer<{ account?: Amounts }>(
          `/api/history/accounts/${address}?height=${height}`,
        );
        const { account } = body;
        if (!account) unknown += 1;
        expect({ address, height, values: known.get(height) }).toEqual({
          address,
          height,
          values: account && { balance: account.balance, locked: account.locked },
        });
      }
    }
    expect(unknown).toBeGreaterThan(0);
  });

  it('has the weights and ranks of delegates', async () => {
    const days = lastHeights('day');
    const [last, middle] = [headOf(CHAIN), [...days.values()].at(-2)!];
    for (const height of [middle, last]) {
      for (const delegate of (await pastDelegates(served, height)).slice(0, 12)) {
        const { publicKey, weight, rank } = delegate;
        const points = await pointsOf<{ weight: bigint | number; rank: number | null }>(
          `/api/history/delegates/${publicKey}/series`,
        );
        const point = points.findLast((each) => each.height === height);
        expect({ publicKey, weight: BigInt(point!.weight), rank: point!.rank }).toEqual({
          publicKey,
          weight: BigInt(weight),
          rank,
        });
      }
    }
  });

  it('has the periods that are asked for', async () => {
    const path = '/api/history/delegates/genesis_1/series?step=day';
    const all = await pointsOf<object>(path);
    const [second, last] = [all[1]!, all.at(-1)!];
    expect(await pointsOf<object>(`${path}&from=${second.time.slice(0, 10)}&to=${headOf(CHAIN)}`)).toEqual(
      all.slice(1),
    );
    expect(await pointsOf<object>(`${path}&from=${last.height}`)).toEqual([last]);
    expect(await pointsOf<object>(`${path}&from=2199-01-01`)).toEqual([]);
    expect((await served.answer(`${path}&from=9&to=3`)).status).toBe(400);
    const above = await served.answer(`${path}&from=${headOf(CHAIN) + 1}`);
    expect(above).toMatchObject({
      status: 404,
      body: { error: expect.stringContaining('There is no block') },
    });
  });
});
