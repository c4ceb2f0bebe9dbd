import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { RoundhouseClient, type HeadEvent } from '@roundhouse/client';
import { randomChain } from '@roundhouse/testing';
import { startApi } from './support/api-under-test.js';
import { GrowingIndex } from './support/growing-index.js';
import * as chain from './support/hand-made-chain.js';
import { serveChain, type ServedChain } from './support/served-chain.js';

const WORKSPACE = fileURLToPath(new URL('../../../', import.meta.url));

const all = async <T>(items: AsyncIterable<T>): Promise<T[]> => {
  const list: T[] = [];
  for await (const item of items) list.push(item);
  return list;
};

describe('the client, against an api', () => {
  let served: ServedChain;
  let client: RoundhouseClient;

  beforeAll(async () => {
    served = await serveChain();
    client = new RoundhouseClient(served.api.url);
  });

  afterAll(() => served.stop());

  it('gives every delegate once, every voter, and blocks in the order in which they were forged', async () => {
    const { count } = await client.get('/api/delegates/count');
    const delegates = await all(client.delegates());
    expect(new Set(delegates.map(({ publicKey }) => publicKey)).size).toBe(count);
    const voters = await all(client.voters(chain.publicKey(1)));
    const { accounts } = await client.get('/api/delegates/voters', { publicKey: chain.publicKey(1) });
    expect(voters).toEqual(accounts);
    const blocks = await all(client.blocksFrom(3));
    expect(blocks.map(({ id }) => id)).toEqual(
      Array.from({ length: chain.HEAD_HEIGHT - 2 }, (_, index) => chain.blockId(index + 3)),
    );
  });

  const runExample = (...args: readonly string[]) =>
    promisify(execFile)('npm', ['run', '-s', 'example:payouts', '--', served.api.url, ...args], {
      cwd: WORKSPACE,
    });

  it('prints payouts that add up, as the example does', async () => {
    const [delegate] = (await client.get('/api/delegates/get', { publicKey: chain.publicKey(1) })).delegates;
    const range = { from: 1, to: chain.HEAD_HEIGHT };
    const answer = await client.history.payouts(chain.publicKey(1), { ...range, share: '75' });
    const { stdout } = await runExample(delegate!.username, '75');
    const arktoshi = (text: string): bigint => BigInt(text.replace('.', ''));
    const rows = stdout.split('\n').map((line) => line.trim().split(/ {2,}/));
    const paid = rows.filter(([address]) => answer.payouts.some((payout) => payout.address === address));
    expect(paid.map(([address, amount]) => ({ address, amount: arktoshi(amount!) }))).toEqual(answer.payouts);
    expect(paid).not.toEqual([]);
    const sum = paid.reduce((total, [, amount]) => total + arktoshi(amount!), 0n);
    const [, kept] = rows.find(([name]) => name === 'kept')!;
    expect([sum, sum + arktoshi(kept!)]).toEqual([answer.shared, answer.rewards + answer.fees]);
  });

  it('the example prints the sentence of an api that cannot answer', async () => {
    const failed = runExample('nobody', '75', '1', '5');
    await expect(failed).rejects.toMatchObject({
      code: 1,
      stderr: 'There was no delegate with this username or public key at this height.\n',
    });
  });
});

it("the client reaches Core's version 2, where amounts are text, and reads its errors", async () => {
  const { network, blocks } = randomChain({ seed: 5, blocks: 160 });
  const index = await GrowingIndex.create(network);
  await index.apply(blocks);
  const api = await startApi(index.url);
  const client = new RoundhouseClient(api.url);
  try {
    const list = await client.get('/api/v2/delegates', { limit: 2, isResigned: false, 'votes.from': 1n });
    expect([list.meta.count, list.data.length]).toEqual([2, 2]);
    const { address, votes } = list.data[0]!;
    expect(BigInt(votes)).toBeGreaterThan(0n);
    const { data: wallet } = await client.get('/api/v2/wallets/{id}', { id: address });
    const { account } = await client.get('/api/accounts/{account}', { account: address });
    expect([wallet.address, BigInt(wallet.balance)]).toEqual([address, account.balance]);
    const sent = await client.get('/api/v2/wallets/{id}/transactions/sent', {
      id: address,
      'asset.votes': 'x',
    });
    expect(sent.data).toEqual([]);
    const { data } = await client.get('/api/v2/node/configuration');
    // A number: only the contract's amounts are bigint.
    expect(data.constants['reward']).toEqual(expect.any(Number));
    await expect(client.get('/api/v2/blocks/{id}', { id: 999 })).rejects.toMatchObject({
      name: 'ApiError',
      status: 404,
      message: 'Block not found',
    });
    await expect(client.get('/api/v2/blocks', { limit: 101 })).rejects.toMatchObject({ status: 422 });
  } finally {
    await api.close();
    await index.close();
  }
});

it('the client reports heads and forks, also with amounts as bigint', async () => {
  const { network, blocks } = randomChain({ seed: 11, blocks: 60 });
  const index = await GrowingIndex.create(network);
  await index.apply(blocks.slice(0, 40));
  const api = await startApi(index.url);
  const client = new RoundhouseClient(api.url);
  const { lastEventId, supply } = await client.get('/status.json');
  const controller = new AbortController();
  const events = client.events({ lastEventId: lastEventId ?? undefined, signal: controller.signal });
  const next = events.next();
  await index.apply(blocks.slice(40, 42));
  const { value: head } = await next;
  expect(head).toMatchObject({ type: 'head', data: { height: 42, id: blocks[41]!.id, blocks: 2 } });
  expect((head as HeadEvent).data.supply).toBeGreaterThanOrEqual(supply);
  await index.undoTo(35);
  expect((await events.next()).value).toMatchObject({ type: 'fork', data: { commonHeight: 35 } });
  controller.abort(new Error('enough'));
  await api.close();
  await index.close();
});
