import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { DAY_SECONDS, sha256, type BlockRef } from '@roundhouse/chain';
import { buildMissingIndexes } from '@roundhouse/entities';
import { createTestDatabase, type TestDatabase } from '@roundhouse/testing';
import pg from 'pg';
import {
  AccountsReader,
  BlocksReader,
  CoreBlocksReader,
  CoreDelegatesReader,
  CoreFeesReader,
  CoreTransactionsReader,
  CoreWalletsReader,
  DelegatesReader,
  HistoryAccountsReader,
  HistoryDelegatesReader,
  NodeAccountsReader,
  NodeBlocksReader,
  NodeDelegatesReader,
  NodeTransactionsReader,
  PayoutsReader,
  RankedDelegatesReader,
  RoundsReader,
  SeriesReader,
  TransactionsReader,
  type ReaderPool,
  type CoreListPage,
  type MemoryPage,
  type TransactionsPage,
} from '@roundhouse/readers';
import { CountingPool } from './support/counting-pool.js';
import { dropListIndexes } from './support/drop-list-indexes.js';
import { CONFIGURATION } from './support/hand-made-chain.js';
import { addDetails, addressOf, growTables, hashOf, keyOf } from './support/large-tables.js';
import { sentStatements, type Sent } from './support/sent-statements.js';
import { SUM_UP_DAYS } from './support/sum-up-days.js';

/** `npm run bench:plans` fills more. */
const BLOCKS = Number(process.env['PLAN_BLOCKS'] ?? 200_000);
/** Of a round in the middle. */
const [ROUND, HEIGHT] = [1_961, 100_000];

const blockId = (height: number): string => hashOf(height).readBigUInt64BE().toString();

const at: BlockRef = { height: BLOCKS, id: blockId(BLOCKS) };
const KEY = keyOf(8);
const ID = sha256(Buffer.from('0000000100000000', 'hex')).toString('hex');
/** Of a transaction without a nonce, in block 100,002. */
const OLD_ID = sha256(Buffer.from('000186a200000000', 'hex')).toString('hex');
const BELOW = { height: HEIGHT, sequence: 0 };
const NEWEST = { column: 'timestamp', direction: 'desc' } as const;
const PAGE = { limit: 100, offset: 0 };
const FIRST_PAGE = { ...PAGE, order: NEWEST };
const DAY_ENDS = Array.from({ length: 400 }, (_, day) => (day + 1) * DAY_SECONDS);

/** Its rounds are those of the tables. */
const NETWORK = {
  ...CONFIGURATION,
  milestones: CONFIGURATION.milestones.map((milestone) => ({ ...milestone, activeDelegates: 51 })),
};

type Ask = (pool: ReaderPool) => Promise<unknown>;

const transactions =
  (conditions: Partial<TransactionsPage>): Ask =>
  (pool) =>
    new TransactionsReader(pool).listTransactions(at, {
      below: BELOW,
      minHeight: 0,
      limit: 100,
      ...conditions,
    });

const BY_TIME = [
  { property: 'timestamp', direction: 'desc' },
  { property: 'sequence', direction: 'desc' },
] as const;

const coreBlocks =
  (page: Partial<CoreListPage>): Ask =>
  (pool) =>
    new CoreBlocksReader(pool, pool).listBlocks(at, {
      criteria: {},
      orderBy: [{ property: 'height', direction: 'desc' }],
      ...PAGE,
      ...page,
    });

const coreTransactions =
  (criteria: CoreListPage['criteria'], page: Partial<CoreListPage> = {}): Ask =>
  (pool) =>
    new CoreTransactionsReader(pool, pool).listTransactions(at, {
      criteria,
      orderBy: BY_TIME,
      ...PAGE,
      ...page,
    });

const coreWallets =
  (page: Partial<MemoryPage>, voters?: string): Ask =>
  (pool) =>
    new CoreWalletsReader(pool, pool).listPage(
      at,
      { criteria: {}, orderBy: [{ property: 'balance', direction: 'desc' }], ...PAGE, ...page },
      0,
      voters,
    );

const BY_RANK = [{ property: 'rank', direction: 'asc' }] as const;

/** What the api asks for, and the most pages that one statement may read for it. Of 200,000 blocks, the table has 4,000; that of accounts has 2,400. */
const ASKED: readonly (readonly [string, number, Ask])[] = [
  ['blocks', 400, (pool) => new BlocksReader(pool).listBlocks(at, HEIGHT, HEIGHT + 99)],
  [
    'blocks that a delegate forged',
    2000,
    (pool) => new BlocksReader(pool).listForged(at, { publicKey: KEY }, HEIGHT, 100),
  ],
  ['a block', 30, (pool) => new BlocksReader(pool).findBlock(at, { id: blockId(HEIGHT) })],
  ['a height', 10, (pool) => new BlocksReader(pool).findHeight(at, { id: blockId(HEIGHT) })],
  ['transactions', 1500, transactions({})],
  ['the newest transactions', 1500, transactions({ below: { height: 2 ** 31 - 1, sequence: 0 } })],
  ['transactions of an account', 1600, transactions({ address: addressOf(1) })],
  ['transactions of a sender', 1500, transactions({ sender: addressOf(1) })],
  ['transactions to a recipient', 600, transactions({ recipient: addressOf(5) })],
  ['transactions of a type', 1500, transactions({ typeGroup: 1, type: 3 })],
  ['transactions of no address', 30, transactions({ address: 'Z' })],
  // These look at 1,000 rows twice, to find that none has all that is asked for.
  ['transactions by amount', 6000, transactions({ minAmount: '1000000' })],
  ['votes of a sender of none', 6000, transactions({ sender: addressOf(1), typeGroup: 1, type: 3 })],
  ['a transaction', 40, (pool) => new TransactionsReader(pool).findTransaction(at, ID)],
  ['an account', 20, (pool) => new AccountsReader(pool).findAccount(at, { address: addressOf(7) })],
  ["a delegate's account", 20, (pool) => new AccountsReader(pool).findAccount(at, { username: 'genesis_7' })],
  [
    'accounts',
    500,
    (pool) => new AccountsReader(pool).listAccounts(at, { balance: 500_000n, number: 5 }, 100),
  ],
  [
    'accounts by a beginning',
    500,
    (pool) => new AccountsReader(pool).searchAccounts(at, `A${'0'.repeat(19)}1`, 100),
  ],
  [
    'delegates',
    500,
    (pool) => new DelegatesReader(pool).listDelegates(at, { ...PAGE, sort: 'rank', direction: 'asc' }),
  ],
  [
    'delegates by forged',
    500,
    (pool) => new DelegatesReader(pool).listDelegates(at, { ...PAGE, sort: 'forged', direction: 'desc' }),
  ],
  ['delegates by a name', 500, (pool) => new DelegatesReader(pool).searchDelegates(at, 's_1', 100, 0)],
  ['delegates with a key', 30, (pool) => new DelegatesReader(pool).listMatching(at, { publicKey: KEY })],
  ['the newest delegate', 20, (pool) => new DelegatesReader(pool).findNewest(at)],
  ['forged totals', 20, (pool) => new DelegatesReader(pool).findForged(at, KEY)],
  ['voters', 1800, (pool) => new DelegatesReader(pool).findVoters(at, KEY, null, 0, 1000)],
  ['active delegates', 100, (pool) => new RankedDelegatesReader(pool).listActive(at, ROUND)],
  [
    'a ranked delegate',
    100,
    (pool) => new RankedDelegatesReader(pool).findDelegate(at, ROUND, { publicKey: KEY }),
  ],
  ['a round', 100, (pool) => new RoundsReader(pool).findRound(at, ROUND, [1, HEIGHT])],
  ['blocks of the status', 300, (pool) => new BlocksReader(pool).listNewest(at, BLOCKS - 20)],
  ['the round of the status', 250, (pool) => new RoundsReader(pool).findState(at, ROUND, BLOCKS - 50, [1])],
  ['a past account', 40, (pool) => new HistoryAccountsReader(pool).findAccount(at, addressOf(8), HEIGHT)],
  ['changes', 700, (pool) => new HistoryAccountsReader(pool).listChanges(at, addressOf(8), 2 ** 31 - 1, 100)],
  ['past delegates', 1500, (pool) => new HistoryDelegatesReader(pool).listDelegates(at, HEIGHT + 99, 1000)],
  [
    'past voters',
    5000,
    (pool) => new HistoryDelegatesReader(pool).listVoters(at, { publicKey: KEY }, HEIGHT, 1000),
  ],
  ['past rounds', 1200, (pool) => new HistoryDelegatesReader(pool).listRounds(at, { publicKey: KEY }, 100)],
  [
    'forged blocks',
    300,
    (pool) =>
      new PayoutsReader(pool).findForged(at, { publicKey: KEY }, { from: HEIGHT, to: HEIGHT + 5000 }, 1000),
  ],
  [
    'weights of voters',
    6000,
    (pool) => new PayoutsReader(pool).listWeights(at, KEY, HEIGHT, HEIGHT + 5000, 10_000),
  ],
  // Each day's end is searched for among all blocks.
  ['balances of 400 days', 45_000, (pool) => new SeriesReader(pool).listBalances(at, addressOf(8), DAY_ENDS)],
  [
    'weights of 400 days',
    45_000,
    (pool) => new SeriesReader(pool).listWeights(at, { publicKey: KEY }, DAY_ENDS),
  ],
  ["a node's block", 100, (pool) => new NodeBlocksReader(pool, pool).findBlock(at, blockId(HEIGHT))],
  ["a node's block at a height", 100, (pool) => new NodeBlocksReader(pool, pool).findBlock(at, '777')],
  [
    "a node's blocks",
    400,
    (pool) => new NodeBlocksReader(pool, pool).listBlocks(at, { ...FIRST_PAGE, conditions: [] }),
  ],
  // Counting up to 10,000 of them reads one entry each, and its row unless the table was vacuumed.
  [
    "a node's blocks of a generator",
    12_000,
    (pool) =>
      new NodeBlocksReader(pool, pool).listBlocks(at, {
        ...FIRST_PAGE,
        conditions: [{ filter: 'generatorPublicKey', text: KEY }],
      }),
  ],
  [
    "a node's delegates",
    500,
    (pool) => new NodeDelegatesReader(pool).listDelegates(at, { column: 'votes', direction: 'desc' }, 100, 0),
  ],
  ["a node's delegate", 30, (pool) => new NodeDelegatesReader(pool).findDelegate(at, KEY)],
  ["a node's voters", 1800, (pool) => new NodeDelegatesReader(pool).findVoters(at, KEY, 1000)],
  [
    "a node's transactions",
    2000,
    (pool) => new NodeTransactionsReader(pool, pool).listTransactions(at, { ...FIRST_PAGE, conditions: [] }),
  ],
  [
    "a node's transactions of an address",
    12_000,
    (pool) =>
      new NodeTransactionsReader(pool, pool).listTransactions(at, {
        ...FIRST_PAGE,
        conditions: [
          { filter: 'senderId', text: addressOf(1) },
          { filter: 'recipientId', text: addressOf(1) },
        ],
      }),
  ],
  [
    "a node's votes",
    8000,
    (pool) =>
      new NodeTransactionsReader(pool, pool).listTransactions(at, {
        ...FIRST_PAGE,
        conditions: [{ filter: 'type', text: '3' }],
      }),
  ],
  // No index has this order: the table is read, in a place of lists, and not longer than a list may take.
  [
    "a node's transactions by amount",
    BLOCKS / 25,
    (pool) =>
      new NodeTransactionsReader(pool, pool).listTransactions(at, {
        ...FIRST_PAGE,
        order: { column: 'amount', direction: 'asc' },
        conditions: [{ filter: 'type', text: '0' }],
      }),
  ],
  // All of them, once for each block.
  ["a node's number of accounts", 2500, (pool) => new NodeAccountsReader(pool, pool).countAccounts(at)],
  [
    'a block of version 2',
    100,
    (pool) => new CoreBlocksReader(pool, pool).findBlock(at, { id: blockId(HEIGHT) }),
  ],
  ['blocks of version 2', 2000, coreBlocks({})],
  ['the first blocks of version 2', 2000, coreBlocks({ offset: BLOCKS - 100 })],
  [
    'blocks of version 2 in a range',
    2000,
    coreBlocks({ criteria: { height: [{ from: 9, to: BLOCKS - 9 }] }, offset: HEIGHT }),
  ],
  ['blocks of version 2 of a generator', 12_000, coreBlocks({ criteria: { generatorPublicKey: [KEY] } })],
  ['transactions of version 2', 2000, coreTransactions({})],
  // A day has 14,400 transactions. Those before the page are read from the index, and their rows unless the table was vacuumed.
  ['the first transactions of version 2', 15_000, coreTransactions({}, { offset: BLOCKS })],
  [
    'transactions of version 2 from the first on',
    15_000,
    coreTransactions({}, { orderBy: [{ property: 'timestamp', direction: 'asc' }], offset: HEIGHT }),
  ],
  ['transfers of version 2, deep', 15_000, coreTransactions({ type: [0] }, { offset: HEIGHT })],
  ['votes of version 2', 3000, coreTransactions({ type: [3], typeGroup: [1] })],
  // There are six of one type and none of the other.
  ['few transactions of a type of version 2', 100, coreTransactions({ type: [7], typeGroup: [1] })],
  ['no transactions of a type of version 2', 30, coreTransactions({ type: [9], typeGroup: [1] })],
  ['transactions of version 2 behind the last one', 30, coreTransactions({}, { offset: BLOCKS * 2 })],
  ['transactions of version 2 of an address', 12_000, coreTransactions({ address: [addressOf(1)] })],
  ['transactions of version 2 of few', 1500, coreTransactions({ address: [addressOf(5)] })],
  [
    'transactions of version 2 of few, of a type and a time',
    1500,
    coreTransactions({ address: [addressOf(5)], type: [0], typeGroup: [1], timestamp: [{ to: HEIGHT * 8 }] }),
  ],
  [
    'transactions of version 2 to a recipient, from a key',
    1500,
    coreTransactions({ recipientId: [addressOf(5)], senderPublicKey: [keyOf(60)] }),
  ],
  [
    'blocks of version 2 of a delegate, up to a height',
    12_000,
    coreBlocks({ criteria: { generatorPublicKey: [KEY], height: [{ to: HEIGHT }] } }),
  ],
  [
    'blocks of version 2 of a delegate that forged few, up to a height',
    100,
    coreBlocks({ criteria: { generatorPublicKey: [keyOf(199)], height: [{ to: HEIGHT }] } }),
  ],
  ['transactions of version 2 of a key', 12_000, coreTransactions({ senderPublicKey: [keyOf(1)] })],
  ['transactions of version 2 of no address', 50, coreTransactions({ address: ['Z'] })],
  ['transactions of version 2 in a block', 100, coreTransactions({ blockId: [blockId(HEIGHT)] })],
  [
    'a transaction of version 2',
    60,
    (pool) => new CoreTransactionsReader(pool, pool).findTransaction(at, ID),
  ],
  [
    'a nonce of version 1 in version 2',
    100,
    (pool) => new CoreTransactionsReader(pool, pool).findTransaction(at, OLD_ID),
  ],
  // Most of these types have no transaction.
  [
    'fees of version 2',
    500,
    (pool) =>
      new CoreFeesReader(pool).listLast(
        at,
        [...Array(18).keys()].map((place) => ({
          typeGroup: place < 11 ? 1 : 2,
          type: place % 11,
        })),
      ),
  ],
  // All accounts are counted, once for each block.
  ['wallets of version 2', 3500, coreWallets({})],
  ['voters of version 2', 3500, coreWallets({}, KEY)],
  [
    'a wallet of version 2',
    50,
    (pool) => new CoreWalletsReader(pool, pool).findWallet(at, addressOf(7), null),
  ],
  [
    'delegates of version 2',
    1000,
    (pool) =>
      new CoreDelegatesReader(pool, pool).listPage(at, { criteria: {}, orderBy: BY_RANK, ...PAGE }, 0),
  ],
  ["a node's transaction", 40, (pool) => new NodeTransactionsReader(pool, pool).findTransaction(at, ID)],
];

/** What version 2 is asked during a first sync. */
const CORE_REQUESTS = [
  'blocks',
  'blocks/first',
  'blocks/last',
  `blocks/${HEIGHT}`,
  'locks',
  'node/configuration/crypto',
  `transactions/${ID}`,
  `transactions/${OLD_ID}`,
].map((path) => `/api/v2/${path}`);

/** Makes the planner believe that each column of each table has few different values (20), as samples of crowded blocks do. */
const MISJUDGE = `DO $$ DECLARE known record; BEGIN
FOR known IN SELECT relname, attname FROM pg_attribute JOIN pg_class c ON c.oid = attrelid
  WHERE relnamespace = 'roundhouse'::regnamespace AND relkind = 'r' AND attnum > 0
LOOP EXECUTE format('ALTER TABLE %I ALTER COLUMN %I SET (n_distinct = ${BLOCKS / 10_000})', known.relname, known.attname); END LOOP;
END $$`;

/** A statement that has no line above may read as many pages as a list does, and less than the accounts have. */
const MOST_PAGES = 2_000;

/**
 * For a page of version 2. Its pages may lie apart, so a bound of pages does not always tell a walk from a scan of the table, which
 * has four times as many rows. A walk reads a day at most, and those of one sender are counted twice: for the total and for nonces
 * of version 1. By old statistics, to scan a table as small as this one costs no more.
 */
const MOST_ROWS = 60_000 + (BLOCKS - 200_000) / 50;

describe('what a statement reads is bounded, whatever the planner expects', () => {
  let database: TestDatabase;
  let client: pg.Client;
  let sent: Sent;

  beforeAll(async () => {
    database = await createTestDatabase();
    client = new pg.Client({ connectionString: database.url });
    await client.connect();
    await growTables(client, 1, 10_000);
    await client.query('ANALYZE');
    await growTables(client, 10_001, BLOCKS);
    await addDetails(client);
    const { name, nethash } = NETWORK.network;
    await client.query('INSERT INTO network (name, nethash, configuration) VALUES ($1, $2, $3)', [
      name,
      nethash,
      NETWORK,
    ]);
    await client.query(SUM_UP_DAYS);
    sent = await sentStatements(database.url);
  });

  afterAll(async () => {
    await client.end();
    await database.drop();
  });

  it.each([
    ['old', 'SELECT', false],
    ['new', 'ANALYZE', true],
    ['wrong', `${MISJUDGE}; ANALYZE`, true],
  ])('by %s statistics', async (_, change, knows) => {
    await client.query(change);
    const excesses: string[] = [];
    const asked = new Set<string>();
    for (const [name, most, ask] of ASKED) {
      const pool = new CountingPool(client);
      await ask(pool);
      for (const text of pool.texts) asked.add(text);
      if (pool.mostPages > most) excesses.push(`${name}: ${pool.mostPages} pages, more than ${most}`);
      if (knows && /^(?!wallets).* version 2/.test(name) && pool.mostRows > MOST_ROWS)
        excesses.push(`${name}: ${pool.mostRows} rows, more than ${MOST_ROWS}`);
    }
    expect(sent.statements.length).toBeGreaterThan(50);
    for (const statement of sent.statements.filter(({ text }) => !asked.has(text))) {
      const pool = new CountingPool(client);
      await pool.query(statement);
      if (pool.mostPages > MOST_PAGES)
        excesses.push(`${pool.mostPages} pages, bound them or give them a line: ${statement.text}`);
    }
    expect(excesses).toEqual([]);
  });

  // As in the first block of a chain that began with the accounts of another one.
  it('nonces of version 1, also in a crowded block', async () => {
    await client.query(`BEGIN;
INSERT INTO transactions (block_height, sequence, id, version, type_group, type, sender, recipient, amount, fee, signature)
SELECT ${HEIGHT}, n, sha256(int4send(-n)), NULL, 1, CASE WHEN n > 20000 THEN 2 ELSE 0 END, CASE WHEN n > 20000 THEN n - 20000 ELSE 60 END,
  NULL, 1, 1, sha512(int4send(n)) FROM generate_series(10, 20051) n`);
    const pool = new CountingPool(client);
    await coreTransactions({ blockId: [blockId(HEIGHT)], type: [2], typeGroup: [1] })(pool);
    await client.query('ROLLBACK');
    expect(pool.mostRows).toBeLessThan(50_000);
  });

  it('in a first sync, which lacks the indexes of lists, if it is not refused', async () => {
    const textsOf = new Map<Ask, readonly string[]>();
    for (const [, , ask] of ASKED) {
      const pool = new CountingPool(client);
      await ask(pool);
      textsOf.set(ask, [...pool.texts]);
    }
    await dropListIndexes(client);
    await client.query('UPDATE head SET claims_height = height');
    const { statements } = await sentStatements(database.url, [...sent.requests, ...CORE_REQUESTS]);
    expect(statements.length).toBeGreaterThan(40);
    const answered = new Set(statements.map(({ text }) => text));
    const excesses: string[] = [];
    const note = (name: string, { mostPages }: CountingPool, most: number): void => {
      if (mostPages > most) excesses.push(`${name}: ${mostPages} pages, call assertListIndexes`);
    };
    for (const [name, most, ask] of ASKED) {
      if (!textsOf.get(ask)!.every((text) => answered.has(text))) continue;
      const pool = new CountingPool(client);
      await ask(pool);
      note(name, pool, most);
    }
    const asked = new Set([...textsOf.values()].flat());
    for (const statement of statements.filter(({ text }) => !asked.has(text))) {
      const pool = new CountingPool(client);
      await pool.query(statement);
      note(statement.text, pool, MOST_PAGES);
    }
    expect(excesses).toEqual([]);
  });

  it('with new indexes, which have no statistics yet', async () => {
    await buildMissingIndexes(client);
    const excesses: string[] = [];
    for (const [name, most, ask] of ASKED) {
      const pool = new CountingPool(client);
      await ask(pool);
      if (pool.mostPages > most) excesses.push(`${name}: ${pool.mostPages} pages, more than ${most}`);
    }
    expect(excesses).toEqual([]);
  });
});
