import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { DelegateEntity } from '@roundhouse/entities';
import { createTestDatabase, type TestDatabase } from '@roundhouse/testing';
import pg from 'pg';
import { startApiProcess, type ApiProcess } from './support/api-process.js';
import * as chain from './support/hand-made-chain.js';
import { getText } from './support/requests.js';
import { openDatabase, seedChain, seedHistory } from './support/seed.js';

const DELEGATES = 2000;

const manyDelegates = Array.from({ length: DELEGATES }, (_, index) => ({
  ...chain.delegates[0]!,
  number: 1000 + index,
  publicKey: chain.publicKey(1000 + index),
  address: chain.address(1000 + index),
  username: `many_${index}`,
  weight: 10n ** 12n + BigInt(index),
  registeredSequence: 1000 + index,
}));

describe('the page of a chain with 2,000 delegates', () => {
  let testDatabase: TestDatabase;
  let api: ApiProcess;
  beforeAll(async () => {
    testDatabase = await createTestDatabase();
    const database = await openDatabase(testDatabase.url);
    await seedChain(database);
    await database.getRepository(DelegateEntity).save(manyDelegates, { chunk: 500 });
    await seedHistory(database);
    await database.destroy();
    api = await startApiProcess({ DATABASE_URL: testDatabase.url });
    await searchFor('warm');
  });
  afterAll(async () => {
    api.kill('SIGTERM');
    await api.ended;
    await testDatabase.drop();
  });

  const searchFor = (text: string) => getText(api.url, `/?q=${text}`);

  const metric = async (name: string): Promise<number> => {
    const metrics = await (await fetch(`${api.operationsUrl}/metrics`)).text();
    return Number(new RegExp(`^${name} (\\S+)$`, 'm').exec(metrics)![1]);
  };

  it('takes a few milliseconds of processor time per search, whatever the text', async () => {
    const cost = async (count: number, path: (index: number) => string): Promise<number> => {
      const before = await metric('process_cpu_seconds_total');
      for (let index = 0; index < count; index += 1) {
        expect((await getText(api.url, path(index))).status).toBe(200);
      }
      return (((await metric('process_cpu_seconds_total')) - before) * 1000) / count;
    };
    expect(await cost(100, (index) => `/?q=none${index}`)).toBeLessThan(12);
    expect(await cost(100, (index) => `/?q=_${index}&orderBy=username:desc`)).toBeLessThan(12);
    expect(await cost(100, (index) => `/?delegate=many_${index}`)).toBeLessThan(12);
  });

  it('evicts no kept answer', async () => {
    const before = await metric('roundhouse_cache_bytes');
    for (let index = 0; index < 20; index += 1) await getText(api.url, `/?q=many_${index}&offset=100`);
    expect(await metric('roundhouse_cache_bytes')).toBe(before);
  });

  it('is refused if too many are being made, and other requests do not wait for it', async () => {
    await getText(api.url, '/api/blocks/getHeight');
    const index = new pg.Client({ connectionString: testDatabase.url });
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
    expect((await page).status).toBe(200);
    const others = (await Promise.all(searches)).filter((answer) => !isRefused(answer));
    expect(others.length).toBeGreaterThan(0);
    expect((await searchFor('later')).status).toBe(200);
  });
});
