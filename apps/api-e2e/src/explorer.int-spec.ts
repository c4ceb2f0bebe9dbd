import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { RunningApi } from '@roundhouse/api';
import type { Block } from '@roundhouse/chain';
import {
  RoundhouseClient,
  type Account,
  type Transaction,
  type TransactionsResponse,
} from '@roundhouse/client';
import { bodyOf, SeededRandom, rawRequest } from '@roundhouse/testing';
import { startApi } from './support/api-under-test.js';
import {
  expectedTransaction,
  placedTransactions,
  type PlacedTransaction,
} from './support/expected-transactions.js';
import { GrowingIndex } from './support/growing-index.js';
import { recordedBlocks } from './support/recorded-blocks.js';
import { getError } from './support/requests.js';

const BATCH_BLOCKS = 50;

/** Pages are smaller than most lists, so that nearly every list has several. */
const PAGE = 7;

interface Conditions {
  readonly sender?: string;
  readonly recipient?: string;
  readonly address?: string;
  readonly typeGroup?: number;
  readonly type?: number;
  readonly block?: string;
  readonly minHeight?: number;
  readonly maxHeight?: number;
  readonly minAmount?: bigint;
  readonly maxAmount?: bigint;
}

/** The plain meaning of the conditions. */
const meets = ({ block, transaction, senderId }: PlacedTransaction, conditions: Conditions): boolean => {
  const { sender, recipient, address, type, typeGroup = type === undefined ? undefined : 1 } = conditions;
  const { recipientId, amount, asset } = transaction;
  const recipients = [recipientId, ...(asset?.payments ?? []).map((payment) => payment.recipientId)];
  return (
    (sender === undefined || sender === senderId || sender === transaction.senderPublicKey) &&
    (recipient === undefined || recipients.includes(recipient)) &&
    (address === undefined || address === senderId || recipients.includes(address)) &&
    (type === undefined || type === transaction.type) &&
    (typeGroup === undefined || typeGroup === transaction.typeGroup) &&
    (conditions.block === undefined || [block.id, String(block.height)].includes(conditions.block)) &&
    block.height >= (conditions.minHeight ?? 0) &&
    block.height <= (conditions.maxHeight ?? Infinity) &&
    amount >= (conditions.minAmount ?? 0n) &&
    (conditions.maxAmount === undefined || amount <= conditions.maxAmount)
  );
};

describe.each(['core-3.9', 'core-2.4-full'] as const)('the explorer routes on the chain %s', (recording) => {
  const { network, blocks } = recordedBlocks(recording);
  const head = blocks.at(-1)!;
  const all = placedTransactions(blocks, network);
  const addresses = [
    ...new Set(
      all.flatMap(({ senderId, transaction: { recipientId, asset } }) => [
        senderId,
        recipientId,
        ...(asset?.payments ?? []).map((payment) => payment.recipientId),
      ]),
    ),
  ]
    .filter((address) => address !== null)
    .sort();
  let index: GrowingIndex;
  let api: RunningApi;
  let client: RoundhouseClient;

  beforeAll(async () => {
    index = await GrowingIndex.create(network);
    for (let from = 0; from < blocks.length; from += BATCH_BLOCKS)
      await index.apply(blocks.slice(from, from + BATCH_BLOCKS));
    api = await startApi(index.url);
    client = new RoundhouseClient(api.url);
  });

  afterAll(async () => {
    await api.close();
    await index.close();
  });

  const expected = (placed: PlacedTransaction) => expectedTransaction(placed, head.height);

  const pagesOf = async (conditions: Conditions, limit = PAGE): Promise<Transaction[]> => {
    const found: Transaction[] = [];
    let cursor: string | null = null;
    do {
      const page: TransactionsResponse = await client.get('/api/transactions', {
        ...conditions,
        limit,
        cursor: cursor ?? undefined,
      });
      found.push(...page.transactions);
      cursor = page.nextCursor;
    } while (cursor !== null);
    return found;
  };

  it('shows every transaction by its id, with every field', async () => {
    expect(all.length).toBeGreaterThan(700);
    for (const placed of all) {
      const { transaction } = await client.get('/api/transactions/{id}', { id: placed.transaction.id });
      expect(transaction).toEqual(expected(placed));
    }
  });

  it('lists what each delegate forged, the newest first, by username and by public key', async () => {
    const { delegates } = await client.get('/api/delegates', { limit: 100 });
    for (const { username, publicKey } of delegates) {
      const heights: number[] = [];
      let cursor: string | undefined;
      do {
        const page = { delegate: cursor === undefined ? username : publicKey, limit: PAGE, cursor };
        const { blocks: forged, nextCursor } = await client.get('/api/delegates/{delegate}/blocks', page);
        heights.push(...forged.map(({ height }) => height));
        cursor = nextCursor ?? undefined;
      } while (cursor !== undefined);
      const theirs = blocks.filter(({ generatorPublicKey }) => generatorPublicKey === publicKey);
      expect(heights).toEqual(theirs.map(({ height }) => height).reverse());
    }
    const { username } = delegates[0]!;
    const { blocks: forged } = await client.get('/api/delegates/{delegate}/blocks', {
      delegate: username,
      limit: 1,
    });
    const { block } = await client.get('/api/blocks/{block}', { block: forged[0]!.id });
    expect(forged).toEqual([block]);
    expect(await getError(api.url, '/api/delegates/nobody/blocks')).toMatchObject({ status: 404 });
  });

  it('lists all transactions, the newest first', async () => {
    expect(await pagesOf({}, 100)).toEqual(all.map(expected));
  });

  it("lists every account's transactions, the same as a plain reading of the chain", async () => {
    for (const [place, account] of addresses.entries()) {
      const theirs = all.filter((placed) => meets(placed, { address: account })).map(expected);
      const { transactions, nextCursor } = await client.get('/api/accounts/{account}/transactions', {
        account,
      });
      expect(transactions).toEqual(theirs.slice(0, 100));
      expect(nextCursor === null).toBe(theirs.length <= 100);
      // Page by page for some of them, because each page is a request.
      if (place % 5 === 0 || theirs.length > 100)
        expect(await pagesOf({ address: account }, theirs.length > 5 * PAGE ? 100 : PAGE)).toEqual(theirs);
    }
  });

  it('shows every block by its id or by its height, with its transactions', async () => {
    for (const { id, height, numberOfTransactions } of blocks) {
      const { block: known } = await client.get('/api/blocks/get', { id });
      const block = height % 4 < 2 ? id : String(height);
      expect((await client.get('/api/blocks/{block}', { block })).block).toEqual(known);
      if (numberOfTransactions === 0) continue;
      const { transactions } = await client.get('/api/blocks/{block}/transactions', { block });
      const placed = all.filter((each) => each.block.height === height);
      expect(transactions).toEqual(placed.map(expected).slice(0, 100));
    }
  });

  it('finds what meets any combination of conditions', async () => {
    const random = SeededRandom.of(14);
    const amounts = all.map(({ transaction }) => transaction.amount);
    const chosenBlock = (): Block => random.pick(all).block;
    let nonEmpty = 0;
    for (let run = 0; run < 40; run += 1) {
      const { transaction, senderId } = random.pick(all);
      const maybe = <T>(chance: number, value: T): T | undefined =>
        random.chance(chance) ? value : undefined;
      const conditions: Conditions = Object.fromEntries(
        Object.entries({
          sender: maybe(0.3, random.chance(0.5) ? senderId : transaction.senderPublicKey),
          recipient: maybe(
            0.2,
            transaction.recipientId ?? transaction.asset?.payments?.at(-1)?.recipientId ?? senderId,
          ),
          address: maybe(0.3, random.chance(0.5) ? senderId : random.pick(addresses)),
          type: maybe(0.3, transaction.type),
          typeGroup: maybe(0.2, transaction.typeGroup),
          block: maybe(0.1, random.chance(0.5) ? chosenBlock().id : String(chosenBlock().height)),
          minHeight: maybe(0.2, random.pick(blocks).height),
          maxHeight: maybe(0.2, random.pick(blocks).height),
          minAmount: maybe(0.2, random.pick(amounts)),
          maxAmount: maybe(0.2, random.pick(amounts)),
        }).filter(([, value]) => value !== undefined),
      );
      const those = all.filter((placed) => meets(placed, conditions));
      nonEmpty += those.length > 0 ? 1 : 0;
      const found = await pagesOf(conditions, those.length > 10 * PAGE ? 100 : PAGE);
      expect({ conditions, ids: found.map(({ id }) => id) }).toEqual({
        conditions,
        ids: those.map(({ transaction: { id } }) => id),
      });
    }
    expect(nonEmpty).toBeGreaterThan(15);
  });

  it('lists all accounts by balance, each as it is by itself', async () => {
    const { rows } = await index.query<{ address: string }>(
      'SELECT address FROM accounts ORDER BY balance DESC, number',
    );
    const listed: Account[] = [];
    let cursor: string | undefined;
    do {
      const page = await client.get('/api/accounts', { limit: PAGE, cursor });
      listed.push(...page.accounts);
      cursor = page.nextCursor ?? undefined;
    } while (cursor !== undefined);
    expect(listed.map(({ address }) => address)).toEqual(rows.map(({ address }) => address));
    for (const account of listed) {
      const names = [account.address, account.publicKey, account.delegate?.username];
      for (const name of names) {
        if (name == null) continue;
        expect((await client.get('/api/accounts/{account}', { account: name })).account).toEqual(account);
      }
    }
    // Asked for such a path as it is, the api knows it, too.
    const folders = listed.flatMap(({ delegate }) => delegate?.username.match(/^\.\.?$/) ?? []);
    for (const username of folders) {
      const raw = await rawRequest(api.url, `GET /api/accounts/${username} HTTP/1.0\r\n\r\n`);
      expect(bodyOf(raw)).toMatchObject({ account: { delegate: { username } } });
    }
    expect(folders.length).toBeGreaterThanOrEqual(recording === 'core-2.4-full' ? 1 : 0);
    // The recording has each of these.
    expect(listed.some(({ secondPublicKey }) => secondPublicKey !== null)).toBe(true);
    expect(listed.some(({ vote }) => vote !== null)).toBe(true);
    expect(listed.some(({ delegate }) => delegate !== null)).toBe(true);
    expect(listed.some(({ nonce }) => nonce > 1)).toBe(true);
  });

  it('finds delegates, accounts, blocks and transactions by a text', async () => {
    const { transaction, block, senderId } = all[20]!;
    const search = async (q: string) => {
      const { delegates, accounts, blocks: found, transactions } = await client.get('/api/search', { q });
      return {
        delegates: delegates.map(({ username }) => username),
        accounts: accounts.map(({ address }) => address),
        blocks: found.map(({ id }) => id),
        transactions: transactions.map(({ id }) => id),
      };
    };
    const none = { delegates: [], accounts: [], blocks: [], transactions: [] };
    expect(await search(transaction.id)).toEqual({ ...none, transactions: [transaction.id] });
    expect(await search(transaction.id.toUpperCase())).toEqual({ ...none, transactions: [transaction.id] });
    expect(await search(block.id)).toEqual({ ...none, blocks: [block.id] });
    expect((await search(String(block.height))).blocks).toEqual([block.id]);
    expect(await search(senderId)).toEqual({ ...none, accounts: [senderId] });
    expect(await search(transaction.senderPublicKey)).toEqual({ ...none, accounts: [senderId] });
    expect((await search(senderId.slice(0, 5))).accounts).toContain(senderId);
    expect((await search('genesis_')).delegates).toHaveLength(10);
    expect(await search('no such thing')).toEqual(none);
  });

  it('refuses a damaged cursor, and one of another list', async () => {
    const { nextCursor } = await client.get('/api/transactions', { limit: 1 });
    const accounts = await client.get('/api/accounts', { limit: 1 });
    // cursor.spec.ts damages each bit.
    const damaged = [
      '',
      'x',
      `${nextCursor!}=`,
      nextCursor!.slice(0, -1),
      `${nextCursor!}A`,
      accounts.nextCursor!,
    ];
    for (const cursor of damaged) {
      const { status, body } = await getError(
        api.url,
        `/api/transactions?cursor=${encodeURIComponent(cursor)}`,
      );
      expect({ cursor, status, error: body.error }).toEqual({
        cursor,
        status: 400,
        error: expect.stringContaining('"cursor" is damaged'),
      });
    }
    const { status } = await getError(api.url, `/api/accounts?cursor=${nextCursor}`);
    expect(status).toBe(400);
  });

  it.each([
    ['/api/transactions/x', /no transaction with this id/],
    [`/api/transactions/${'0'.repeat(64)}`, /no transaction with this id/],
    ['/api/blocks/getNothing', /nothing at this path/],
    ['/api/blocks/getNothing/transactions', /nothing at this path/],
    ['/api/blocks/0', /no block with this id or height/],
    ['/api/blocks/999999', /no block with this id or height/],
    ['/api/blocks/2147483648', /no block with this id or height/],
    ['/api/blocks/999999/transactions', /no block with this id or height/],
    ['/api/blocks/1/nothing', /nothing at this path/],
    ['/api/accounts/nobody', /no account/],
    ['/api/accounts/nobody/transactions', /no account/],
  ])('answers %s with 404', async (path, error) => {
    const { status, body } = await getError(api.url, path);
    expect({ status, body }).toEqual({
      status: 404,
      body: { success: false, error: expect.stringMatching(error) },
    });
  });

  it.each([
    'sender=x',
    `address=${'A'.repeat(40)}`,
    'type=-1',
    'minAmount=1e3',
    'maxAmount=9223372036854775808',
    'block=xyz',
    'limit=101',
    'limit=0',
  ])('refuses the condition %s', async (query) => {
    expect((await getError(api.url, `/api/transactions?${query}`)).status).toBe(400);
  });

  it.each([
    'type=999999999999999',
    'typeGroup=4294967296',
    'minHeight=999999999999999',
    'minAmount=9223372036854775807',
    'block=18446744073709551615',
    'maxHeight=0',
  ])('finds nothing with the condition %s', async (query) => {
    const response = await fetch(`${api.url}/api/transactions?${query}`);
    expect(await response.json()).toEqual({ transactions: [], nextCursor: null, success: true });
  });
});
