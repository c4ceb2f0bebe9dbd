import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { getError, getText } from './support/requests.js';
import { serveChain, type ServedChain } from './support/served-chain.js';

describe('a fault of the server', () => {
  let served: ServedChain;
  beforeAll(async () => {
    served = await serveChain();
  });
  afterAll(() => served.stop());

  it('is reported in one plain sentence, is not kept, and affects nothing else', async () => {
    await served.database.query('ALTER TABLE blocks RENAME TO hidden');
    const { status, headers, body } = await getError(served.api.url, '/api/blocks?limit=1');
    expect([status, body]).toEqual([
      500,
      { success: false, error: 'The server failed to answer; the failure has been logged.' },
    ]);
    expect([headers.get('cache-control'), headers.get('api-version')]).toEqual(['no-store', '1']);
    expect((await getText(served.api.url, '/api/delegates/count')).status).toBe(200);
    await served.database.query('ALTER TABLE hidden RENAME TO blocks');
    expect((await getText(served.api.url, '/api/blocks?limit=1')).status).toBe(200);
  });

  it('makes a missing round an error, not an empty answer', async () => {
    await served.database.query('DELETE FROM rounds');
    expect((await getError(served.api.url, '/api/delegates/getNextForgers')).status).toBe(500);
  });
});
