import { rawTransaction } from '@roundhouse/blocks';
import { makeSigner } from '@roundhouse/testing';
import type { DevnetChain } from '../chain/devnet-chain.js';
import { makeFolder, openChain } from '../devnet.harness.js';
import { serveApi, type Answer, type ServedApi } from './api.harness.js';

const HISTORY = 20;

describe('orders to the devnet over HTTP', () => {
  let folder: ReturnType<typeof makeFolder>;
  let chain: DevnetChain;
  let served: ServedApi;

  beforeEach(() => {
    folder = makeFolder();
    chain = openChain(folder.path, { history: HISTORY });
    served = serveApi(chain, true);
  });

  afterEach(async () => {
    await served.close();
    folder.remove();
  });

  const ask = (url: string, method: 'GET' | 'POST' = 'GET', payload?: object): Promise<Answer> =>
    served.ask(url, method, payload);

  it('fails as often as requested', async () => {
    await ask('/devnet/fail', 'POST', { status: 429, count: 2 });
    const statuses = [];
    for (let request = 0; request < 3; request += 1) statuses.push((await ask('/api/node/status')).status);
    expect(statuses).toEqual([429, 429, 200]);
  });

  it('forges at once, forks, pauses and resumes', async () => {
    const forged = await ask('/devnet/forge', 'POST', { count: 3 });
    expect(forged.body.data.height).toBe(HISTORY + 3);
    const forked = await ask('/devnet/fork', 'POST', { depth: 2 });
    expect(forked.body.data.height).toBe(HISTORY + 3);
    expect(forked.body.data.id).not.toBe(forged.body.data.id);
    expect((await ask('/devnet/resume', 'POST')).body.data.isForging).toBe(true);
    expect((await ask('/devnet/pause', 'POST')).body.data.isForging).toBe(false);
  });

  it('forks to a branch that is shorter at first', async () => {
    const { id } = chain.log.read(HISTORY - 2);
    const forked = await ask('/devnet/fork', 'POST', { depth: 5, length: 3 });
    expect(forked.body.data.height).toBe(HISTORY - 2);
    expect(forked.body.data.id).not.toBe(id);
    const forged = await ask('/devnet/forge', 'POST', { count: 4 });
    expect(forged.body.data.height).toBe(HISTORY + 2);
  });

  it('says what is wrong with an order', async () => {
    expect(await ask('/devnet/fork', 'POST', { depth: 0 })).toMatchObject({ status: 422 });
    expect((await ask('/devnet/fork', 'POST', { depth: 9_999 })).body.message).toContain(
      'the first of them stays',
    );
  });

  it('are only accepted with DEVNET_CONTROL', async () => {
    const plain = makeFolder();
    const served = serveApi(openChain(plain.path));
    expect(await served.ask('/devnet/pause', 'POST')).toMatchObject({ status: 404 });
    await served.close();
    plain.remove();
  });

  it('takes a transaction into the next block', async () => {
    const { ring, sign } = makeSigner();
    const [from, to] = ring.accounts;
    const transaction = sign(chain.state, {
      sender: from!.address,
      type: 0,
      amount: 12_345n,
      fee: 10_000_000n,
      recipientId: to!.address,
    });
    const { body } = await ask('/api/transactions', 'POST', { transactions: [rawTransaction(transaction)] });
    expect(body.data.accept).toEqual([transaction.id]);
    expect((await ask('/api/transactions/unconfirmed')).body.data).toMatchObject([
      { id: transaction.id, amount: '12345' },
    ]);
    await ask('/devnet/forge', 'POST', { count: 1 });
    const found = await ask(`/api/transactions/${transaction.id}`);
    expect(found.body.data).toMatchObject({ id: transaction.id, confirmations: 1, sender: from!.address });
    expect((await ask('/api/transactions/unconfirmed')).body.data).toEqual([]);
  });

  it("rejects anything but a list of transactions with Core's message", async () => {
    expect(await ask('/api/transactions', 'POST', {})).toMatchObject({
      status: 422,
      body: { message: "should have required property 'transactions'" },
    });
  });
});
