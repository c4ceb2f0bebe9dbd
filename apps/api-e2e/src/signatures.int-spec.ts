import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { getText } from './support/requests.js';
import { serveChain, type ServedChain } from './support/served-chain.js';

describe('signatures', () => {
  let served: ServedChain;
  beforeAll(async () => (served = await serveChain()));
  afterAll(() => served.stop());

  it('fee is the fee of a second signature', async () => {
    const { status, text } = await getText(served.api.url, '/api/signatures/fee');
    expect([status, text]).toEqual([200, '{"fee":500000000,"success":true}']);
  });
});
