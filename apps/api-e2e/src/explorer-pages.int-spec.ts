import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import type { RunningApi } from '@roundhouse/api';
import type { Block } from '@roundhouse/chain';
import { RoundhouseClient } from '@roundhouse/client';
import { eventually, randomChain } from '@roundhouse/testing';
import { startApi } from './support/api-under-test.js';
import { placedTransactions } from './support/expected-transactions.js';
import { GrowingIndex } from './support/growing-index.js';
import { getError } from './support/requests.js';

const { network, blocks } = randomChain({ seed: 14, blocks: 120 });
const other = randomChain({ seed: 14, blocks: 120, forkFrom: 81 }).blocks;

const BEGUN = 80;

const idsOf = (chain: readonly Block[]): string[] =>
  placedTransactions(chain, network).map(({ transaction }) => transaction.id);

describe('pages of transactions', () => {
  let index: GrowingIndex;
  let api: RunningApi;
  let client: RoundhouseClient;

  beforeEach(async () => {
    index = await GrowingIndex.create(network);
    await index.apply(blocks.slice(0, BEGUN));
    api = await startApi(index.url);
    client = new RoundhouseClient(api.url);
  });

  afterEach(async () => {
    await api.close();
    await index.close();
  });

  const untilHeadIs = (id: string): Promise<number> =>
    eventually(
      `the api shows the head ${id}`,
      async () => (await client.get('/api/blocks/getHeight')).id === id,
      10_000,
    );

  const grow = async (from: number, to: number, chain = blocks): Promise<void> => {
    await index.apply(chain.slice(from, to));
    await untilHeadIs(chain[to - 1]!.id);
  };

  const firstPage = () => client.get('/api/transactions', { limit: 10 });

  it('hold all that was below the first one, while blocks arrive', async () => {
    const found: string[] = [];
    let height = BEGUN;
    let cursor: string | undefined;
    do {
      const page = await client.get('/api/transactions', { limit: 10, cursor });
      found.push(...page.transactions.map(({ id }) => id));
      cursor = page.nextCursor ?? undefined;
      if (height < blocks.length) {
        await grow(height, height + 2);
        height += 2;
      }
    } while (cursor !== undefined);
    expect(height).toBe(blocks.length);
    expect(found).toEqual(idsOf(blocks.slice(0, BEGUN)));
  });

  it('continue if only blocks above them are undone', async () => {
    await grow(BEGUN, 100);
    const { nextCursor } = await client.get('/api/transactions', { limit: 10, maxHeight: 60 });
    await index.undoTo(BEGUN);
    await grow(BEGUN, 90, other);
    const { transactions } = await client.get('/api/transactions', { limit: 100, cursor: nextCursor! });
    expect(transactions.map(({ id }) => id)).toEqual(idsOf(blocks.slice(0, 60)).slice(10, 110));
  });

  it.each([
    ['the head is below it', 0, 503, /try again in a moment/],
    ['another branch has its height', 30, 409, /begin again with the first page/],
  ])('are refused with one sentence after their block was undone, if %s', async (_, regrown, code, error) => {
    await grow(BEGUN, 110);
    const { nextCursor, transactions } = await firstPage();
    expect(transactions.at(-1)!.height).toBeGreaterThan(BEGUN);
    const { generatorPublicKey: delegate } = blocks[109]!;
    const forged = await client.get('/api/delegates/{delegate}/blocks', { delegate, limit: 1 });
    await index.undoTo(BEGUN);
    await untilHeadIs(blocks[BEGUN - 1]!.id);
    if (regrown > 0) await grow(BEGUN, BEGUN + regrown, other);
    for (const path of [
      `/api/transactions?cursor=${nextCursor}`,
      `/api/delegates/${delegate}/blocks?cursor=${forged.nextCursor}`,
    ]) {
      const { status, body } = await getError(api.url, path);
      expect({ status, body }).toEqual({
        status: code,
        body: { success: false, error: expect.stringMatching(error) },
      });
    }
  });
});
