import type { Network } from '@roundhouse/chain';
import { randomChain } from '@roundhouse/testing';
import type { Client } from 'pg';
import { connectTestDatabase } from '../connected-database.harness.js';
import { claimNetwork } from './claim-network.js';
import { readNetwork } from './position.js';

const networkOf = (seed: number): Network => randomChain({ seed, blocks: 1 }).network;

describe('claimNetwork', () => {
  let client: Client;
  let close: () => Promise<void>;

  beforeAll(async () => {
    ({ client, close } = await connectTestDatabase());
  });

  afterEach(() => client.query('TRUNCATE network, head'));

  afterAll(() => close());

  it('lets an index without blocks take another chain', async () => {
    await claimNetwork(client, networkOf(1));
    expect(await claimNetwork(client, networkOf(2))).toBe(networkOf(2).nethash);
  });

  it('keeps the types that only this chain has', async () => {
    const customTypes = [{ typeGroup: 7, type: 0, moves: 'transfer' }] as const;
    await claimNetwork(client, { ...networkOf(1), customTypes });
    expect((await readNetwork(client))!.network.customTypes).toEqual(customTypes);
  });

  it('keeps every digit of an amount beyond 2^53 in the milestones', async () => {
    const milestones = [{ ...networkOf(1).milestones[0]!, reward: 9_007_199_254_740_993n }];
    await claimNetwork(client, { ...networkOf(1), milestones });
    const { rows } = await client.query<{ reward: string }>(
      `SELECT configuration #>> '{milestones,0,reward}' AS reward FROM network`,
    );
    expect(rows).toEqual([{ reward: '9007199254740993' }]);
  });
});
