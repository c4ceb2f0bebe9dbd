import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { RunningApi } from '@roundhouse/api';
import {
  AppProcess,
  eventually,
  freePort,
  pgbouncerProgram,
  randomChain,
  startTestPgbouncer,
  type TestPgbouncer,
} from '@roundhouse/testing';
import { answersOf, listFailed } from './support/answers-of.js';
import { asApiRole, startApi } from './support/api-under-test.js';
import { everyRequest } from './support/every-request.js';
import { GrowingIndex } from './support/growing-index.js';
import { getText, getTextOnce } from './support/requests.js';

// Needs pgbouncer.
const describeWithPgbouncer = pgbouncerProgram === null ? describe.skip : describe;

/** Fewer than the connections of one api, so that its transactions take turns in sessions. */
const SESSIONS = 3;

const BLOCKS = 160;

/** Every list of voters is streamed. */
const STREAMED = { STREAM_FROM_VOTERS: '1' };

describeWithPgbouncer('an api behind PgBouncer in transaction mode', () => {
  const { network, blocks } = randomChain({ seed: 3, blocks: BLOCKS + 10 });
  let index: GrowingIndex;
  let roleUrl: string;
  let pooler: TestPgbouncer;
  let port: number;
  let pooled: RunningApi;
  let direct: RunningApi;

  const startPooler = (ignored = ''): Promise<TestPgbouncer> =>
    startTestPgbouncer([roleUrl, index.url], { port, poolSize: SESSIONS, ignored });

  beforeAll(async () => {
    index = await GrowingIndex.create(network, { keepsHistory: true });
    await index.apply(blocks.slice(0, BLOCKS));
    roleUrl = await asApiRole(index.url);
    port = await freePort();
    pooler = await startPooler();
    direct = await startApi(index.url, STREAMED);
    pooled = await startApi(index.url, {
      ...STREAMED,
      DATABASE_READ_URL: pooler.through(roleUrl),
      DATABASE_POOLER: 'transaction',
    });
  });

  afterAll(async () => {
    await pooled.close();
    await direct.close();
    await pooler.stop();
    await index.close();
  });

  const getHeight = async ({ url }: RunningApi): Promise<number> =>
    (JSON.parse((await getText(url, '/api/blocks/getHeight')).text) as { height: number }).height;

  it('gives every answer of an api that has sessions of its own', async () => {
    const requests = await everyRequest(direct.url);
    expect(requests.length).toBeGreaterThan(100);
    const expected = await answersOf(direct.url, requests);
    expect(listFailed(expected)).toEqual([]);
    expect(await answersOf(pooled.url, requests)).toEqual(expected);
  });

  it('leaves nothing in the sessions that hinders another api', async () => {
    const settings = { DATABASE_READ_URL: pooler.through(roleUrl), DATABASE_POOLER: 'transaction' };
    // One more than there are sessions, so that one of them is used twice.
    for (let start = 0; start <= SESSIONS; start += 1) await (await startApi(index.url, settings)).close();
  });

  it('follows the head without notifications, also back', async () => {
    await index.apply(blocks.slice(BLOCKS, BLOCKS + 1));
    await eventually('it shows the new head', async () => (await getHeight(pooled)) === BLOCKS + 1);
    await index.undoTo(BLOCKS);
    await eventually('it shows the old head', async () => (await getHeight(pooled)) === BLOCKS);
  });

  it('answers again after the pooler was restarted', async () => {
    await pooler.stop();
    await eventually(
      'it cannot answer',
      async () => (await getTextOnce(pooled.url, '/api/blocks')).status === 503,
    );
    pooler = await startPooler();
    await eventually('it can', async () => (await getText(pooled.url, '/api/blocks')).status === 200);
  });

  it.each([
    ['refuses the settings of sessions', ''],
    ['drops the settings of sessions', 'options'],
  ])('names DATABASE_POOLER if that is not set and the pooler %s', async (_what, ignored) => {
    await pooler.stop();
    pooler = await startPooler(ignored);
    const start = startApi(index.url, { DATABASE_READ_URL: pooler.through(roleUrl) });
    await expect(start).rejects.toThrow(/pooler.*set DATABASE_POOLER=transaction/);
  });

  it('is not for the indexer, which says so', async () => {
    const migrating = new AppProcess('indexer', ['migrate'], { DATABASE_URL: pooler.through(index.url) });
    expect(await migrating.ended).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(
        /DATABASE_URL leads to a connection pooler.*name the PostgreSQL server itself/,
      ),
    });
  });
});
