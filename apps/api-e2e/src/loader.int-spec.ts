import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { eventually } from '@roundhouse/testing';
import { expectResponse } from './support/contract.js';
import { blockId, HEAD_HEIGHT, NETHASH } from './support/hand-made-chain.js';
import { getText } from './support/requests.js';
import { seedNetwork } from './support/seed.js';
import { serveChain, type ServedChain } from './support/served-chain.js';

const HEAD_ID = blockId(HEAD_HEIGHT);

const NETWORK = `{"success":true,"network":{"nethash":"${NETHASH}","token":"HAND","symbol":"H","explorer":"https://explorer.example","version":30}}`;

const NO_NETWORK = [503, /network is not known/] as const;
const NO_BLOCK = [503, /No block is indexed/] as const;

let served: ServedChain;
afterAll(() => served.stop());

const answers = (request: string, response: Parameters<typeof expectResponse>[2]): Promise<void> =>
  expectResponse(served.api.url, request, response);

/** Both routes say the same. */
const untilStatusIs = async (
  loaded: boolean,
  now: number,
  blocksCount: number,
  id: string,
): Promise<void> => {
  const expected = `{"loaded":${loaded},"now":${now},"blocksCount":${blocksCount},"success":true}`;
  let text = '';
  await eventually('the api has heard of the change', async () => {
    ({ text } = await getText(served.api.url, '/api/loader/status'));
    return text === expected;
  }).catch(() => expect(text).toBe(expected));
  await answers(
    '/api/loader/status/sync',
    `{"syncing":${!loaded},"blocks":${blocksCount},"height":${now},"id":"${id}","success":true}`,
  );
};

describe('loader of an empty index', () => {
  beforeAll(async () => {
    served = await serveChain({ seed: async () => undefined });
  });

  it('has loaded nothing', () => untilStatusIs(false, 0, 0, '0'));

  it.each([
    ['/api/loader/autoconfigure', NO_NETWORK],
    ['/api/blocks/getNethash', NO_NETWORK],
    ['/api/blocks/getHeight', NO_BLOCK],
    ['/api/blocks', NO_BLOCK],
  ])('%s is not known yet', answers);

  it('has a page that says so and reloads itself', async () => {
    const { status, headers, text } = await getText(served.api.url, '/');
    expect([status, headers.get('retry-after')]).toEqual([503, '1']);
    expect(headers.get('content-type')).toBe('text/html; charset=utf-8');
    expect(text).toMatch(/<body data-waiting>[^]*No block is indexed yet/);
  });

  describe('of a known network', () => {
    beforeAll(async () => {
      await seedNetwork(served.database);
      await served.database.query("INSERT INTO source_status (source, height) VALUES ('here', 5)");
    });

    it('knows how many blocks to load', () => untilStatusIs(false, 0, 5, '0'));

    it('knows the network', () => answers('/api/loader/autoconfigure', NETWORK));

    it.each([
      '/api/blocks',
      `/api/blocks/get?id=${HEAD_ID}`,
      '/api/blocks/getFee',
      '/api/blocks/getHeight',
      '/api/blocks/getMilestone',
      '/api/blocks/getReward',
      '/api/blocks/getStatus',
      '/api/blocks/getSupply',
      '/api/delegates',
      '/api/delegates/count',
      '/api/delegates/fee',
      '/api/delegates/getNextForgers',
      '/api/delegates/search?q=a',
      '/api/signatures/fee',
    ])('%s is not known before the first block', (request) => answers(request, NO_BLOCK));
  });
});

describe('loader of an index with blocks', () => {
  beforeAll(async () => {
    await served.stop();
    served = await serveChain();
  });

  it('knows the network; its version is the first byte of addresses', () =>
    answers('/api/loader/autoconfigure', NETWORK));

  const heardOf = (news: string): string => `UPDATE source_status SET ${news}`;

  it.each<[string, string, boolean, number]>([
    ['at the tip', 'SELECT', true, 0],
    ['one block behind the node', heardOf('height = 131'), true, 1],
    ['two blocks behind the node', heardOf('height = 132'), false, 2],
    ['with a node that is behind', heardOf('height = 100'), true, -30],
    // The indexer asks every second and last asked 24 s ago: it no longer runs.
    [
      'when nothing has been heard from the node for too long',
      heardOf("height = 130, check_interval_ms = 1000, checked_at = now() - interval '24 s'"),
      ...([false, 0] as const),
    ],
    [
      'while the node is asked rarely',
      heardOf("check_interval_ms = 60000, checked_at = now() - interval '90 s'"),
      ...([true, 0] as const),
    ],
    ['before anything was heard from the node', 'DELETE FROM source_status', false, 0],
  ])('says how many blocks are missing %s', async (_, change, loaded, blocksCount) => {
    await served.database.query(change);
    await untilStatusIs(loaded, HEAD_HEIGHT, blocksCount, HEAD_ID);
    const blocks = Math.max(0, blocksCount);
    const [status, syncing] = await Promise.all(
      ['status', 'syncing'].map((path) => getText(served.api.url, `/api/v2/node/${path}`)),
    );
    expect(JSON.parse(status!.text)).toMatchObject({ data: { synced: loaded, blocksCount: blocks } });
    expect(JSON.parse(syncing!.text)).toMatchObject({ data: { syncing: !loaded, blocks } });
  });
});
