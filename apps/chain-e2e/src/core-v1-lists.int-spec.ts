import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { addressOf, oldNumberOf, TransactionType, type Block, type Transaction } from '@roundhouse/chain';
import {
  NodeBlocksReader,
  NodeTransactionsReader,
  type BlockColumn,
  type TransactionColumn,
} from '@roundhouse/readers';
import { randomChain } from '@roundhouse/testing';
import { MemoryChain } from './history/memory-chain.js';
import { RecordedIndex } from './recorded-index.js';

const { network, blocks } = randomChain({ seed: 11, blocks: 150 });
const head = blocks.at(-1)!;

interface Placed {
  readonly transaction: Transaction;
  readonly block: Block;
  readonly sequence: number;
}

/** Newest first. */
const placed: readonly Placed[] = blocks
  .flatMap((block) => block.transactions.map((transaction, sequence) => ({ transaction, block, sequence })))
  .reverse();

/** What a filter compares, computed from the chain. */
const VALUES: Readonly<Partial<Record<TransactionColumn, (at: Placed) => unknown>>> = {
  id: ({ transaction }) => transaction.id,
  version: ({ transaction }) => transaction.version,
  blockId: ({ block }) => block.id,
  sequence: ({ sequence }) => sequence,
  timestamp: ({ block }) => block.timestamp,
  senderPublicKey: ({ transaction }) => transaction.senderPublicKey,
  senderId: ({ transaction }) => addressOf(transaction.senderPublicKey, network.pubKeyHash),
  recipientId: ({ transaction }) => transaction.recipientId,
  // No filter finds locks: nodes of 2.4 gave their number to resignations.
  type: ({ transaction: { typeGroup, type } }) =>
    typeGroup === 1 && type !== TransactionType.HtlcLock ? oldNumberOf(type) : null,
  vendorFieldHex: ({ transaction }) => transaction.vendorField,
  amount: ({ transaction }) => transaction.amount,
  fee: ({ transaction }) => transaction.fee,
};

const textOf = (filter: TransactionColumn, at: Placed): string => String(VALUES[filter]!(at));

/** The first value from a place on that a client can ask for. */
const valueFrom = (filter: TransactionColumn, place: number): string =>
  placed
    .slice(place)
    .map((at) => textOf(filter, at))
    .find((text) => text !== 'null')!;

const NEWEST = { column: 'timestamp', direction: 'desc' } as const;

const BLOCK_FILTERS: readonly BlockColumn[] = [
  ...(['id', 'version', 'timestamp', 'previousBlock', 'height'] as const),
  ...(['numberOfTransactions', 'totalAmount', 'totalFee', 'reward', 'payloadLength'] as const),
  ...(['payloadHash', 'generatorPublicKey', 'blockSignature'] as const),
];

describe('the lists of a node', () => {
  let index: RecordedIndex;
  let transactions: NodeTransactionsReader;
  let blockList: NodeBlocksReader;
  beforeAll(async () => {
    index = await RecordedIndex.create(new MemoryChain(blocks), network);
    await index.indexTo(head.height);
    await index.client.query('ANALYZE');
    transactions = new NodeTransactionsReader(index.client, index.client);
    blockList = new NodeBlocksReader(index.client, index.client);
  });
  afterAll(() => index.close());

  const filters = Object.keys(VALUES) as TransactionColumn[];

  it.each(filters.flatMap((one, place) => filters.slice(place).map((other) => [one, other] as const)))(
    'transactions whose %s or %s matches are those of the chain, each once',
    async (one, other) => {
      for (const pick of [3, placed.length >> 1]) {
        const conditions = [
          { filter: one, text: valueFrom(one, pick) },
          ...(one === other ? [] : [{ filter: other, text: valueFrom(other, pick + 7) }]),
        ];
        const expected = placed.filter((at) =>
          conditions.some(({ filter, text }) => textOf(filter, at) === text && text !== 'null'),
        );
        const ids = expected.map(({ transaction }) => transaction.id);
        const all = await transactions.listTransactions(head, {
          limit: 1000,
          offset: 0,
          order: NEWEST,
          conditions,
        });
        expect(all.transactions.map(({ id }) => id)).toEqual(ids);
        expect(all.count).toBe(ids.length);
        const page = { limit: 3, offset: 2, order: NEWEST, conditions };
        const { transactions: some, count } = await transactions.listTransactions(head, page);
        expect(some.map(({ id }) => id)).toEqual(ids.slice(2, 5));
        expect(count).toBeGreaterThanOrEqual(Math.min(5, ids.length));
      }
    },
  );

  it.each(['senderPublicKey', 'senderId', 'recipientId', 'blockId'] as const)(
    'a full page of transactions by %s has an exact count',
    async (filter) => {
      const at = placed.at(-1)!;
      const conditions = [{ filter, text: textOf(filter, at) }];
      const { count } = await transactions.listTransactions(head, {
        limit: 1,
        offset: 0,
        order: NEWEST,
        conditions,
      });
      expect(count).toBe(placed.filter((other) => textOf(filter, other) === conditions[0]!.text).length);
    },
  );

  it.each(['asc', 'desc'] as const)('a page deep in all transactions, by time %s', async (direction) => {
    const inOrder = [...placed].sort(
      (a, b) =>
        (direction === 'asc' ? a.block.height - b.block.height : b.block.height - a.block.height) ||
        b.sequence - a.sequence,
    );
    const page = {
      limit: 20,
      offset: 100,
      order: { column: 'timestamp', direction },
      conditions: [],
    } as const;
    const { transactions: listed, count } = await transactions.listTransactions(head, page);
    expect(listed.map(({ id }) => id)).toEqual(
      inOrder.slice(100, 120).map(({ transaction }) => transaction.id),
    );
    // The statistics are exact after ANALYZE.
    expect(count).toBe(placed.length);
  });

  it.each(
    BLOCK_FILTERS.flatMap((one, place) => BLOCK_FILTERS.slice(place).map((other) => [one, other] as const)),
  )('blocks whose %s and %s match are those of the chain', async (one, other) => {
    const wanted = blocks[70]!;
    const conditions = (one === other ? [one] : [one, other]).map((filter) => ({
      filter,
      text: String(wanted[filter]),
    }));
    const expected = blocks.filter((block) =>
      conditions.every(({ filter, text }) => String(block[filter]) === text),
    );
    const page = {
      limit: 1000,
      offset: 0,
      order: { column: 'height', direction: 'asc' },
      conditions,
    } as const;
    const { blocks: listed, count } = await blockList.listBlocks(head, page);
    const heights = (JSON.parse(`[${listed}]`) as { height: number }[]).map(({ height }) => height);
    expect(heights).toEqual(expected.map(({ height }) => height));
    expect(count).toBe(expected.length);
  });

  it('the genesis block is the one whose previous block is 0', async () => {
    const conditions = [{ filter: 'previousBlock', text: '0' }] as const;
    const page = { limit: 2, offset: 0, order: { column: 'height', direction: 'desc' }, conditions } as const;
    expect(JSON.parse(`[${(await blockList.listBlocks(head, page)).blocks}]`)).toMatchObject([{ height: 1 }]);
  });

  it('values that no column holds find nothing', async () => {
    for (const [filter, text] of [
      ['id', 'x'],
      ['id', '\0'],
      ['blockId', '99999999999999999999'],
      ['blockId', '007'],
      ['recipientId', '\0'],
      ['amount', '1e21'],
      ['sequence', '99999999999'],
      ['vendorFieldHex', 'abc'],
      ['asset', '{'],
      ['serialized', 'ff'],
      ['asset', '"\\u0000"'],
      ['asset', '"\\ud800"'],
      ['type', '6'],
    ] as [TransactionColumn, string][]) {
      const page = { limit: 10, offset: 4, order: NEWEST, conditions: [{ filter, text }] };
      expect(await transactions.listTransactions(head, page)).toEqual({ transactions: [], count: 4 });
    }
  });
});
