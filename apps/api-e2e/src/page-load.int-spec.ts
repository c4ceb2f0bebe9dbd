import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { DelegateEntity } from '@roundhouse/entities';
import pg from 'pg';
import { startApiProcess, type ApiProcess } from './support/api-process.js';
import * as chain from './support/hand-made-chain.js';
import { readMetric } from './support/metrics.js';
import { getText } from './support/requests.js';
import { seedChain, seededDatabase, seedHistory } from './support/seed.js';

const MANY = 2000;
/** More than a page shows. */
const FEW = 300;

const makeDelegates = (count: number) =>
  Array.from({ length: count }, (_, index) => ({
    ...chain.delegates[0]!,
    number: 1000 + index,
    publicKey: chain.publicKey(1000 + index),
    address: chain.address(1000 + index),
    username: `many_${index}`,
    weight: 10n ** 12n + BigInt(index),
    registeredSequence: 1000 + index,
  }));

const serveDelegates = async (count: number) => {
  const testDatabase = await seededDatabase(async (database) => {
    await seedChain(database);
    await database.getRepository(DelegateEntity).save(makeDelegates(count), { chunk: 500 });
    await seedHistory(database);
  });
  const api = await startApiProcess({ DATABASE_URL: testDatabase.url });
  await getText(api.url, '/search?q=warm');
  const end = async (): Promise<void> => {
    api.kill('SIGTERM');
    await api.ended;
    await testDatabase.drop();
  };
  return { testDatabase, api, end };
};

describe('the page of a chain with 2,000 delegates', () => {
  type Served = Awaited<ReturnType<typeof serveDelegates>>;
  let few: Served;
  let many: Served;
  let api: ApiProcess;
  beforeAll(async () => {
    [few, many] = [await serveDelegates(FEW), await serveDelegates(MANY)];
    ({ api } = many);
  });
  afterAll(async () => {
    await few.end();
    await many.end();
  });

  const searchFor = (text: string) => getText(api.url, `/search?q=${text}`);

  it.each<[string, (index: number) => string]>([
    ['a text that no name has', (index) => `/search?q=none${index}`],
    ['a text that all names have', (index) => `/delegates?q=many&offset=${index}&orderBy=username:desc`],
    ['a name', (index) => `/delegates/many_${index}`],
  ])('takes as much processor time as that of a chain with 300: %s', async (_, path) => {
    const apis = [few.api, many.api];
    const used = () => Promise.all(apis.map((each) => readMetric(each, 'process_cpu_seconds_total')));
    const ask = async (from: number, to: number): Promise<void> => {
      for (let index = from; index < to; index += 1)
        for (const { url } of apis) expect((await getText(url, path(index))).status).toBe(200);
    };
    await ask(0, 30);
    const before = await used();
    await ask(30, 100);
    const [ofFew, ofMany] = (await used()).map((seconds, index) => seconds - before[index]!);
    // It was 2.1 to 2.9 when each search read all delegates.
    expect(ofMany! / ofFew!).toBeLessThan(1.8);
  });

  it('evicts no kept answer', async () => {
    const before = await readMetric(api, 'roundhouse_cache_bytes');
    for (let index = 0; index < 20; index += 1)
      await getText(api.url, `/delegates?q=many_${index}&offset=100`);
    expect(await readMetric(api, 'roundhouse_cache_bytes')).toBe(before);
  });

  it('is refused if too many are being made, and other requests do not wait for it', async () => {
    await getText(api.url, '/api/blocks/getHeight');
    const index = new pg.Client({ connectionString: many.testDatabase.url });
    await index.connect();
    // Without the lock, a fast api could make each page before the next request comes.
    await index.query('BEGIN; LOCK TABLE delegates');
    const searches = Array.from({ length: 100 }, (_, number) => searchFor(`x${number}`));
    // A page that waits too long for the database is refused too, with another text.
    const isRefused = ({ text }: { readonly text: string }): boolean =>
      text.includes('Too many pages are being made already');
    const refused = await Promise.any(
      searches.map(async (search) => {
        const answer = await search;
        return isRefused(answer) ? answer : Promise.reject(new Error(answer.text));
      }),
    );
    expect(refused.status).toBe(503);
    expect(refused.headers.get('content-type')).toBe('text/html; charset=utf-8');
    expect(refused.headers.get('retry-after')).toBe('1');
    expect((await getText(api.url, '/api/blocks/getHeight')).status).toBe(200);
    const page = getText(api.url, '/');
    await index.end();
    expect(isRefused(await page)).toBe(false);
    const others = (await Promise.all(searches)).filter((answer) => !isRefused(answer));
    expect(others.length).toBeGreaterThan(0);
    expect((await searchFor('later')).status).toBe(200);
  });
});
