import type { Network } from '@roundhouse/chain';
import { randomChain } from '@roundhouse/testing';
import type { Client } from 'pg';
import { connectTestDatabase } from '../connected-database.harness.js';
import { claimNetwork } from './network-row.js';

const networkOf = (seed: number): Network => randomChain({ seed, blocks: 1 }).network;

describe('claimNetwork', () => {
  let client: Client;
  let close: () => Promise<void>;

  beforeAll(async () => {
    ({ client, close } = await connectTestDatabase());
  });

  afterEach(() => client.query('TRUNCATE network, head'));

  afterAll(() => close());

  const indexOneBlock = () =>
    client.query(
      `INSERT INTO head (height, block_id, "timestamp", supply, delegate_count) VALUES (1, '\\x01', 0, 0, 0)`,
    );

  it('ties an index with blocks to its chain', async () => {
    await claimNetwork(client, networkOf(1));
    await indexOneBlock();
    expect(await claimNetwork(client, networkOf(2))).toBe(networkOf(1).nethash);
    const { rows } = await client.query<{ name: string }>('SELECT name FROM network');
    expect(rows).toEqual([{ name: networkOf(1).name }]);
  });

  it('lets an index without blocks take another chain', async () => {
    await claimNetwork(client, networkOf(1));
    expect(await claimNetwork(client, networkOf(2))).toBe(networkOf(2).nethash);
  });

  it('brings the configuration of the same chain up to date', async () => {
    await claimNetwork(client, networkOf(1));
    await indexOneBlock();
    await claimNetwork(client, { ...networkOf(1), token: 'NEW' });
    const { rows } = await client.query<{ token: string }>(
      `SELECT configuration #>> '{network,client,token}' AS token FROM network`,
    );
    expect(rows).toEqual([{ token: 'NEW' }]);
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
