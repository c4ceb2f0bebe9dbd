import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { CONFIGURATION } from './support/hand-made-chain.js';
import { getText } from './support/requests.js';
import { serveChain, type ServedChain } from './support/served-chain.js';

type Json = Record<string, unknown>;

const dataOf = async <T = Json>(url: string, path: string): Promise<T> =>
  (JSON.parse((await getText(url, `/api/v2/${path}`)).text) as { readonly data: T }).data;

// The recorded chain of a Core 3.9.1 node does not show these: `apps/chain-e2e/src/core-v2.int-spec.ts`.

describe("Core's version 2, over a chain with old rules", () => {
  let served: ServedChain;
  beforeAll(async () => {
    served = await serveChain();
  });
  afterAll(() => served.stop());

  it('shows milestones merged and by height', async () => {
    const [first, second] = CONFIGURATION.milestones;
    const { fees } = first!;
    const { milestones } = await dataOf(served.api.url, 'node/configuration/crypto');
    expect(milestones).toEqual([
      first,
      { ...first, ...second },
      { ...first, ...second, height: 5000, fees: { staticFees: { ...fees!.staticFees, transfer: 1 } } },
    ]);
  });

  it('has the usual fees where milestones have none', async () => {
    const fees = await dataOf(served.api.url, 'transactions/fees');
    expect(fees['1']).toEqual({
      ...{ transfer: '10000000', secondSignature: '500000000', delegateRegistration: '2500000000' },
      ...{ vote: '100000000', multiSignature: '500000000' },
    });
  });
});
