import type { RunningApi } from '@roundhouse/api';
import { eventually } from '@roundhouse/testing';
import { asApiRole, startApiAt } from './support/api-under-test.js';
import { readMetric } from './support/metrics.js';
import { getText } from './support/requests.js';
import { blockId, HEAD_HEIGHT } from './support/hand-made-chain.js';
import { seedChain } from './support/seed.js';
import { serveChain, type ServedChain } from './support/served-chain.js';

const ID = blockId(HEAD_HEIGHT);
const SETTLE = `
UPDATE network SET final_height = head.height, final_id = head.block_id, proven_at = $1 FROM head`;
const LASTING = 'public, max-age=31536000, immutable';

describe('an api whose chain has ended, on a database that is read-only', () => {
  let served: ServedChain;
  let api: RunningApi;

  const get = (path: string) => getText(api.url, path);

  const cacheControlOf = async (path: string): Promise<string | null> =>
    (await get(path)).headers.get('cache-control');

  const endOf = async (): Promise<unknown> =>
    (JSON.parse((await get('/status.json')).text) as { ended: unknown }).ended;

  beforeAll(async () => {
    served = await serveChain({
      seed: async (database) => {
        await seedChain(database);
        // As in a restored snapshot, nobody has heard of a node.
        await database.query('DELETE FROM source_status');
        await database.query(SETTLE, [null]);
      },
    });
    const url = await asApiRole(served.databaseUrl);
    const name = new URL(url).pathname.slice(1);
    // Sessions that are open may still write: that of this test.
    await served.database.query(`ALTER DATABASE "${name}" SET default_transaction_read_only = on`);
    api = await startApiAt(url);
  });

  afterAll(async () => {
    await api.close();
    await served.stop();
  });

  it('needs no node: it is ready and says that it has all blocks, but may still change until it is proven', async () => {
    expect((await fetch(`${api.operationsUrl}/health/ready`)).status).toBe(200);
    const { text } = await get('/api/loader/status');
    const ended = JSON.stringify(await endOf());
    expect(text).toBe(`{"loaded":true,"now":${HEAD_HEIGHT},"blocksCount":0,"ended":${ended},"success":true}`);
    expect(await cacheControlOf('/api/blocks/getHeight')).toBe('public, max-age=1');
    expect(await endOf()).toMatchObject({ height: HEAD_HEIGHT, id: ID, provenAt: null });
    expect(await readMetric(api, 'roundhouse_chain_ended')).toBe(1);
    expect((await get('/')).text).toContain(`This chain ended at block ${HEAD_HEIGHT} (${ID})`);
  });

  it('once proven says when and where it ended, and its answers are immutable', async () => {
    const provenAt = new Date('2026-06-01T00:00:00Z');
    await served.database.query(SETTLE, [provenAt]);
    await eventually(
      'the api has heard of it',
      async () => (await cacheControlOf('/status.json')) === LASTING,
    );
    expect(await endOf()).toEqual({
      height: HEAD_HEIGHT,
      id: ID,
      forgedAt: expect.stringMatching(/^20\d\d-.*Z$/),
      provenAt: provenAt.toISOString(),
    });
    for (const path of [
      '/api/blocks/getHeight',
      '/api/loader/status',
      '/api/delegates',
      '/api/v1/blocks/getStatus',
      '/api/v2/delegates',
    ])
      expect([path, await cacheControlOf(path)]).toEqual([path, LASTING]);
    expect((await get('/')).text).toContain('every block is verified');
    expect(await readMetric(api, 'roundhouse_chain_proven')).toBe(1);
  });

  it('tells programs of Core’s version 2, with a clock that goes on', async () => {
    const { text, headers } = await get('/api/v2/node/status');
    expect(headers.get('cache-control')).not.toContain('immutable');
    const { data } = JSON.parse(text) as { data: { synced: boolean; ended: { height: number; id: string } } };
    expect(data).toMatchObject({ synced: true, blocksCount: 0, ended: { height: HEAD_HEIGHT, id: ID } });
    expect(await cacheControlOf('/api/v2/node/syncing')).toBe(LASTING);
  });

  it('keeps neither refusals nor the page, which names files of this version', async () => {
    for (const path of ['/', '/api/accounts/nobody', '/api/blocks/999999999'])
      expect([path, await cacheControlOf(path)]).not.toEqual([path, LASTING]);
  });
});
