import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { RunningApi } from '@roundhouse/api';
import { EventClient, eventually, randomChain } from '@roundhouse/testing';
import type { DataSource } from 'typeorm';
import { startApi } from './support/api-under-test.js';
import { GrowingIndex } from './support/growing-index.js';
import { INSERT_DELEGATES } from './support/many-delegates.js';
import { getText } from './support/requests.js';
import { seedChain } from './support/seed.js';
import { serveChain, type ServedChain } from './support/served-chain.js';

/** More delegates than get a rank in lists that are not by rank. */
const MANY = 20_000;
const FEW = 200;

const seedWith =
  (count: number) =>
  async (database: DataSource): Promise<void> => {
    await seedChain(database);
    await database.query(INSERT_DELEGATES, [count, false]);
    await database.query('UPDATE head SET delegate_count = delegate_count + $1', [count]);
    await database.query('ANALYZE delegates');
  };

describe('many delegates', () => {
  let few: ServedChain;
  let many: ServedChain;
  beforeAll(async () => {
    few = await serveChain({ seed: seedWith(FEW) });
    many = await serveChain({ seed: seedWith(MANY) });
  });
  afterAll(async () => {
    await few.stop();
    await many.stop();
  });

  it.each([
    ['/status.json', 15_000],
    ['/', 170_000],
    ['/delegates.json', 40_000],
    ['/delegates?q=many', 170_000],
    ['/search?q=none', 50_000],
    ['/delegates?orderBy=forged:desc', 170_000],
    ['/delegates?offset=100', 170_000],
    ['/delegates/many_100007', 25_000],
  ])('%s is not larger than with a few', async (path, most) => {
    const [small, large] = await Promise.all(
      [few, many].map(async ({ api }) => (await getText(api.url, path)).text.length),
    );
    expect(large).toBeLessThan(most);
    // Longer numbers, and the links to further pages.
    expect(Math.abs(large! - small!)).toBeLessThan(0.05 * small! + 500);
  });

  it('have ranks only up to a bound, except in a list by rank', async () => {
    const list = async (query: string): Promise<{ rank: number | null; username: string }[]> => {
      const { text } = await getText(many.api.url, `/delegates.json?${query}`);
      return (JSON.parse(text) as { delegates: { rank: number | null; username: string }[] }).delegates;
    };
    const around = await list('offset=4999&limit=2');
    expect(around.map(({ rank }) => rank)).toEqual([5000, 5001]);
    const alone = await Promise.all(around.map(({ username }) => list(`username=${username}`)));
    expect(alone.flat().map(({ rank }) => rank)).toEqual([5000, null]);
    const last = await list('orderBy=rank:desc&limit=2');
    expect(last.map(({ rank }) => rank)).toEqual([MANY + 8, MANY + 7]);
  });

  it('add up to the weight of those that have a rank', async () => {
    const { text } = await getText(many.api.url, '/status.json');
    const [{ sum } = { sum: '' }] = await many.database.query<{ sum: string }[]>(
      `SELECT sum(weight) FROM (SELECT weight FROM delegates ORDER BY is_resigned, weight DESC, public_key LIMIT 5000) d`,
    );
    expect(text).toContain(`"delegateCount":${MANY + 8},"totalWeight":${sum},`);
  });
});

describe('the events of a chain with many delegates', () => {
  const { network, blocks } = randomChain({ seed: 23, blocks: 60 });
  let index: GrowingIndex;
  let api: RunningApi;
  beforeAll(async () => {
    index = await GrowingIndex.create(network);
    await index.apply(blocks.slice(0, 20));
    // They have resigned, so the same delegates forge.
    await index.query(INSERT_DELEGATES, [MANY, true]);
    api = await startApi(index.url);
  });
  afterAll(async () => {
    await api.close();
    await index.close();
  });

  it('are small: a head, a round, a fork', async () => {
    const client = await EventClient.open(`${api.url}/events`);
    for (let from = 20; from < 50; from += 10) await index.apply(blocks.slice(from, from + 10));
    await index.undoTo(45);
    const kinds = (): Set<string> => new Set(client.events.map(({ event }) => event));
    await eventually('the fork is sent', () => Promise.resolve(kinds().has('fork')));
    client.close();
    expect(kinds()).toEqual(new Set(['head', 'round', 'fork']));
    for (const { data } of client.events) expect(JSON.stringify(data).length).toBeLessThan(1500);
  });
});
