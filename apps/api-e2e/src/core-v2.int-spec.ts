import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { addressOf, CORE_TYPE_GROUP, MAGISTRATE_TYPE_GROUP, TransactionType } from '@roundhouse/chain';
import type { DataSource } from 'typeorm';
import { address, CONFIGURATION, publicKey } from './support/hand-made-chain.js';
import { getText } from './support/requests.js';
import { INSERT_DELEGATES } from './support/many-delegates.js';
import { seedChain } from './support/seed.js';
import { serveChain, type ServedChain } from './support/served-chain.js';
import { serveBlocks, TRAFFIC, type Served } from './support/served-indexes.js';

type Json = Record<string, unknown>;

const dataOf = async <T = Json>(url: string, path: string): Promise<T> =>
  (JSON.parse((await getText(url, `/api/v2/${path}`)).text) as { readonly data: T }).data;

// The recorded chain of a Core 3.9.1 node does not show these: `apps/chain-e2e/src/core-v2.int-spec.ts`.

/** Delegates with 0.005, 0.01, 0.015 percent of the supply, and so on; some have resigned. */
const seedShares = async (database: DataSource): Promise<void> => {
  await seedChain(database);
  await database.query(INSERT_DELEGATES, [400, false]);
  await database.query('UPDATE delegates SET weight = 5 * greatest(number - 8, 0)');
  await database.query('UPDATE delegates SET is_resigned = true WHERE number % 40 = 0');
  await database.query('UPDATE head SET supply = 100000');
};

describe("Core's version 2, over a chain with old rules", () => {
  let served: ServedChain;
  beforeAll(async () => {
    served = await serveChain({ seed: seedShares });
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
    expect(fees).toEqual({
      1: {
        transfer: '10000000',
        secondSignature: '500000000',
        delegateRegistration: '2500000000',
        vote: '100000000',
        multiSignature: '500000000',
      },
    });
  });

  it('rounds, filters and sorts approvals as JavaScript rounds them', async () => {
    type Delegate = { votes: string; production: { approval: number } };
    const list = (query: string) => dataOf<Delegate[]>(served.api.url, `delegates?${query}`);
    const pages = await Promise.all([1, 2, 3, 4].map((page) => list(`page=${page}`)));
    const all = pages.flat().map(({ votes, production }) => [votes, production.approval] as const);
    expect(all).toHaveLength(400);
    expect(all).toEqual(all.map(([votes]) => [votes, Number((Number(votes) / 1000).toFixed(2))]));
    for (const approval of [0.13, 0.83, 0.84]) {
      const found = await list(`production.approval=${approval}`);
      const expected = all.filter(([, shown]) => shown === approval);
      expect(found.map(({ votes }) => votes)).toEqual(expected.map(([votes]) => votes));
    }
    const sorted = (await list('orderBy=production.approval:asc,votes:desc&limit=100&page=2')).map(
      ({ production }) => production.approval,
    );
    expect(sorted).toEqual([...sorted].sort((a, b) => a - b));
  });

  it('lists delegates by rank, those that have resigned last', async () => {
    const pages = (query: string) =>
      Promise.all(
        [1, 2, 3, 4].map((page) => dataOf<Json[]>(served.api.url, `delegates?page=${page}${query}`)),
      );
    const all = (await pages('')).flat();
    const ranks = all.map(({ rank }) => rank);
    const active = ranks.filter((rank) => rank !== undefined);
    expect(active).toEqual(active.map((_, place) => place + 1));
    expect(ranks.slice(active.length)).toEqual(Array(10).fill(undefined));
    // Asked for, all are ranked first.
    expect((await pages('&orderBy=rank:asc')).flat()).toEqual(all);
  });

  it.each([
    ['%253E%253D3', 1],
    ['%253E3.9.1', 0],
    ['%2525', undefined],
  ])('decodes the version of peers twice: %s', async (version, count) => {
    const data = await dataOf<Json[] | undefined>(served.api.url, `peers?version=${version}`);
    expect(data?.length).toBe(count);
  });

  it.each([
    ['a=b', 200],
    ['a = b; c="d";', 200],
    ['a', 400],
    ['a=b; ;', 400],
  ])('reads cookies as a node does: %s', async (cookie, status) => {
    expect(await getText(served.api.url, '/api/v2/blockchain', { cookie })).toMatchObject({ status });
  });

  it('refuses a list that takes too long with a sentence that fits the first page', async () => {
    const session = served.database.createQueryRunner();
    await session.startTransaction();
    try {
      await session.query('LOCK TABLE transactions');
      const { status, text } = await getText(served.api.url, '/api/v2/transactions?orderBy=amount:desc');
      expect([status, JSON.parse(text)]).toMatchObject([
        429,
        {
          message: expect.stringMatching(/other criteria, another order, or an earlier page if there is one/),
        },
      ]);
    } finally {
      await session.rollbackTransaction();
      await session.release();
    }
  });

  it('has the old schema of multi-signature registrations', async () => {
    const schemas = await dataOf<Json>(served.api.url, 'transactions/schemas');
    expect(Object.keys(schemas)).toEqual(['1']);
    expect(schemas['1']).toMatchObject({
      4: {
        version: { enum: [1, 2], anyOf: [{ type: 'null' }, { const: 1 }] },
        signatures: { type: 'array', minItems: 1, maxItems: 1, items: { $ref: 'alphanumeric' } },
        asset: { required: ['multiSignatureLegacy'] },
      },
    });
  });
});

const FULL_ID = 'ab'.repeat(32);
const NO_FULL_ID = '0'.repeat(64);

/** As Core 3's `network:generate` begins a chain: full ids, and transactions of version 2. */
const seedFullIds = async (database: DataSource): Promise<void> => {
  await seedChain(database);
  for (const statement of [
    `UPDATE blocks SET id = '\\x${FULL_ID}' WHERE height = 1`,
    `INSERT INTO addresses (number, height, value) VALUES (1, 1, '${address(20)}')`,
    `INSERT INTO transactions (block_height, sequence, id, type_group, type, nonce, sender, recipient, amount, fee, asset)
     VALUES (1, 0, sha256('0'), 1, 0, 1, 1, 1, 5, 0, NULL), (1, 1, sha256('1'), 1, 2, 2, 1, NULL, 0, 0, '{"username":"a"}'),
       (1, 2, sha256('2'), 1, 3, 3, 1, NULL, 0, 0, '{"votes":["+${publicKey(1)}"]}')`,
  ])
    await database.query(statement);
};

describe("Core's version 2, over a chain that Core 3 began", () => {
  let served: ServedChain;
  beforeAll(async () => {
    served = await serveChain({ seed: seedFullIds });
  });
  afterAll(() => served.stop());

  it('has a full id of zeros before the genesis block', async () => {
    const { url } = served.api;
    expect(await dataOf(url, 'blocks/1')).toMatchObject({ id: FULL_ID, previous: NO_FULL_ID });
    expect(await dataOf(url, 'blocks/first?transform=false')).toMatchObject({
      previousBlock: NO_FULL_ID,
      previousBlockHex: NO_FULL_ID,
      idHex: FULL_ID,
    });
    expect(await dataOf<Json[]>(url, `blocks?previousBlock=${NO_FULL_ID}`)).toMatchObject([{ height: 1 }]);
    expect(await dataOf<Json[]>(url, 'blocks?previousBlock=0')).toEqual([]);
  });

  it('shows its genesis transactions as they are in its configuration', async () => {
    const { genesisBlock } = await dataOf<{ genesisBlock: Json }>(
      served.api.url,
      'node/configuration/crypto',
    );
    expect(genesisBlock).toMatchObject({ id: FULL_ID, previousBlock: NO_FULL_ID });
    const senderPublicKey = publicKey(1);
    const all = { version: 2, network: 30, typeGroup: 1, timestamp: 0, senderPublicKey, fee: '0' };
    const id = expect.stringMatching(/^[0-9a-f]{64}$/) as unknown;
    expect(genesisBlock['transactions']).toEqual([
      { ...all, type: 0, nonce: '1', amount: '5', expiration: 0, recipientId: address(20), id },
      { ...all, type: 2, nonce: '2', amount: '0', asset: { delegate: { username: 'a' } }, id },
      {
        ...all,
        type: 3,
        nonce: '3',
        amount: '0',
        recipientId: addressOf(senderPublicKey, 30),
        id,
        asset: { votes: [`+${senderPublicKey}`] },
      },
    ]);
  });
});

const CLOSING: readonly number[] = [TransactionType.HtlcClaim, TransactionType.HtlcRefund];

/** Those of group 2, by type, before there were entities. */
const BUSINESS_KEYS = [
  'businessRegistration',
  'businessResignation',
  'businessUpdate',
  'bridgechainRegistration',
  'bridgechainResignation',
  'bridgechainUpdate',
];

describe("Core's version 2, over a chain with businesses", () => {
  let served: Served;
  beforeAll(async () => {
    served = await serveBlocks(TRAFFIC);
  });
  afterAll(() => served.stop());

  it('has the fees and schemas of businesses and bridgechains', async () => {
    const fees = await dataOf<Json>(served.api.url, 'transactions/fees');
    expect(fees['2']).toEqual(Object.fromEntries(BUSINESS_KEYS.map((key) => [key, '5000000000'])));
    const schemas = await dataOf<Record<string, Json[]>>(served.api.url, 'transactions/schemas');
    expect(Object.keys(schemas['2']!)).toEqual(['0', '1', '2', '3', '4', '5']);
    const uri = { $ref: 'uri' };
    const properties = {
      name: { $ref: 'genericName' },
      website: uri,
      repository: uri,
      vat: { type: 'string', minLength: 8, maxLength: 15, $ref: 'alphanumeric' },
    };
    const one = (name: string) => ({ required: [name] });
    expect(schemas['2']![2]).toMatchObject({
      type: { transactionType: 2 },
      typeGroup: { type: 'integer', minimum: 0, const: 2 },
      amount: { bignumber: { minimum: 0, bypassGenesis: true, maximum: 0 } },
      fee: { bignumber: { minimum: 0, bypassGenesis: true } },
      asset: {
        type: 'object',
        required: ['businessUpdate'],
        additionalProperties: false,
        properties: {
          businessUpdate: {
            type: 'object',
            properties,
            anyOf: [one('name'), one('website'), one('vat'), one('repository')],
          },
        },
      },
    });
  });

  it.each([
    ['', 20],
    ['?days=30', Infinity],
  ])('node/fees%s sums up what was paid for them', async (query, most) => {
    const { timestamp } = TRAFFIC.blocks.at(-1)!;
    const now = Date.parse(TRAFFIC.network.milestones[0]!['epoch'] as string) + timestamp * 1000;
    const clock = jest.spyOn(Date, 'now').mockReturnValue(now);
    const { 2: shown = {} } = await dataOf<Record<string, Json>>(served.api.url, `node/fees${query}`).finally(
      () => clock.mockRestore(),
    );
    const sent = TRAFFIC.blocks.flatMap(({ transactions }) => transactions);
    const sums = [...BUSINESS_KEYS, 'entity'].map((key, type) => {
      const ofType = sent.filter((one) => one.typeGroup === MAGISTRATE_TYPE_GROUP && one.type === type);
      const fees = ofType.slice(-Math.min(most, sent.length)).map(({ fee }) => fee);
      // A node has a number of a type that was never sent.
      const none = query === '' ? 0 : undefined;
      return [key, fees.length > 0 ? String(fees.reduce((a, b) => a + b, 0n)) : none];
    });
    const shownSums = [...BUSINESS_KEYS, 'entity'].map((key) => [
      key,
      (shown[key] as Json | undefined)?.['sum'],
    ]);
    expect(shownSums).toEqual(sums);
    expect(sums.some(([, sum]) => typeof sum === 'string')).toBe(true);
  });

  /** What closed locks: claims and refunds, by their ids, with their heights. */
  const closing = new Map(
    TRAFFIC.blocks.flatMap(({ height, transactions }) =>
      transactions
        .filter(({ typeGroup, type }) => typeGroup === CORE_TYPE_GROUP && CLOSING.includes(type))
        .map(({ id, asset }) => [id, { height, lock: asset!.lockTransactionId! }]),
    ),
  );

  const postIds = async (query: string, type = 'application/json') => {
    const ids = [...closing.values()].slice(0, 25).map(({ lock }) => lock);
    const response = await fetch(`${served.api.url}/api/v2/locks/unlocked?${query}`, {
      method: 'POST',
      headers: { 'Content-Type': type },
      body: JSON.stringify({ ids }),
    });
    const { data = [] } = (await response.json()) as { readonly data?: readonly { readonly id: string }[] };
    return { status: response.status, heights: data.map(({ id }) => closing.get(id)!.height) };
  };

  it('sorts what closed locks by height, too', async () => {
    const { status, heights } = await postIds('orderBy=blockHeight:asc');
    expect(status).toBe(200);
    expect(new Set(heights).size).toBeGreaterThan(1);
    expect(heights).toEqual([...heights].sort((a, b) => a - b));
  });

  it.each([
    ['application/vnd.api+json', 200],
    ['Application/JSON; charset=utf-8', 200],
    ['application/xml', 422],
  ])('reads a body of the type %s as nodes do', async (type, status) => {
    expect((await postIds('', type)).status).toBe(status);
  });
});
