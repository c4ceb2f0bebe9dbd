import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { sha256, type BlockRef } from '@roundhouse/chain';
import { createTestDatabase, type TestDatabase } from '@roundhouse/testing';
import pg from 'pg';
import {
  AccountsReader,
  BlocksReader,
  DelegatesReader,
  HistoryAccountsReader,
  HistoryDelegatesReader,
  NodeBlocksReader,
  NodeBlockListReader,
  NodeDelegatesReader,
  NodeTransactionsReader,
  PayoutsReader,
  RankedDelegatesReader,
  RoundsReader,
  StatusReader,
  TransactionsReader,
  type ReaderPool,
  type TransactionsPage,
} from '@roundhouse/readers';
import { growTables } from './large-tables.js';

const BLOCKS = 200_000;
/** Of a round in the middle. */
const [ROUND, HEIGHT] = [1_961, 100_000];

interface Plan {
  readonly 'Shared Hit Blocks': number;
  readonly 'Shared Read Blocks': number;
}

type Value = string | number | bigint | boolean | Buffer | readonly number[] | null;

const literal = (value: Value): string => {
  if (value === null) return 'NULL';
  if (Buffer.isBuffer(value)) return pg.escapeLiteral(`\\x${value.toString('hex')}`);
  return pg.escapeLiteral(typeof value === 'object' ? `{${value.join(',')}}` : String(value));
};

/** Runs each statement with a plan for its values, as a session's first five, and with the plan that the session keeps then. */
class CountingPool implements ReaderPool {
  /** That one statement has read. */
  mostPages = 0;

  constructor(private readonly client: pg.Client) {}

  query: ReaderPool['query'] = async (statement) => {
    const { text, values = [] } = statement;
    if (!text.startsWith('EXPLAIN'))
      for (const mode of ['force_custom_plan', 'force_generic_plan']) {
        await this.client.query(`SET plan_cache_mode = ${mode}; PREPARE asked AS ${text}`);
        const { rows } = await this.client.query<{ 'QUERY PLAN': readonly [{ readonly Plan: Plan }] }>(
          `EXPLAIN (ANALYZE, BUFFERS, FORMAT JSON) EXECUTE asked(${(values as Value[]).map(literal).join(', ')})`,
        );
        const { Plan: plan } = rows[0]!['QUERY PLAN'][0];
        this.mostPages = Math.max(this.mostPages, plan['Shared Hit Blocks'] + plan['Shared Read Blocks']);
        await this.client.query('DEALLOCATE asked');
      }
    return this.client.query(statement as pg.QueryConfig);
  };
}

/** As PostgreSQL's sha256(int4send(…)). */
const hashOf = (number: number): Buffer => {
  const bytes = Buffer.alloc(4);
  bytes.writeInt32BE(number);
  return sha256(bytes);
};

const blockId = (height: number): string => hashOf(height).readBigUInt64BE().toString();

const keyOf = (number: number): string => `02${hashOf(number).toString('hex')}`;

const at: BlockRef = { height: BLOCKS, id: blockId(BLOCKS) };
const KEY = keyOf(8);
const ID = sha256(Buffer.from('0000000100000000', 'hex')).toString('hex');
const BELOW = { height: HEIGHT, sequence: 0 };
const NEWEST = { column: 'timestamp', direction: 'desc' } as const;
const FIRST_PAGE = { limit: 100, offset: 0, order: NEWEST };

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

/** What the api asks for, and the most pages that one statement may read for it. The table of blocks has 4,000, that of accounts 2,400. */
const ASKED: readonly (readonly [string, number, Ask])[] = [
  ['blocks', 400, (pool) => new BlocksReader(pool).listBlocks(at, HEIGHT, HEIGHT + 99)],
  ['a block', 30, (pool) => new BlocksReader(pool).findBlock(at, blockId(HEIGHT))],
  ['a height', 10, (pool) => new BlocksReader(pool).findHeight(at, blockId(HEIGHT))],
  ['transactions', 1500, transactions({})],
  ['the newest transactions', 1500, transactions({ below: { height: 2 ** 31 - 1, sequence: 0 } })],
  ['transactions of an account', 1600, transactions({ address: 'A1' })],
  ['transactions of a sender', 1500, transactions({ sender: 'A1' })],
  ['transactions to a recipient', 600, transactions({ recipient: 'A5' })],
  ['transactions of a type', 1500, transactions({ typeGroup: 1, type: 3 })],
  ['transactions of no address', 30, transactions({ address: 'Z' })],
  // These look at 1,000 rows twice, to find that none has all that is asked for.
  ['transactions by amount', 6000, transactions({ minAmount: '1000000' })],
  ['votes of a sender of none', 6000, transactions({ sender: 'A1', typeGroup: 1, type: 3 })],
  ['a transaction', 40, (pool) => new TransactionsReader(pool).findTransaction(at, ID)],
  ['an account', 20, (pool) => new AccountsReader(pool).findAccount(at, { address: 'A7' })],
  [
    "a delegate's account",
    20,
    (pool) => new AccountsReader(pool).findAccount(at, { username: 'delegate_7' }),
  ],
  [
    'accounts',
    500,
    (pool) => new AccountsReader(pool).listAccounts(at, { balance: 500_000n, number: 5 }, 101),
  ],
  ['accounts by a beginning', 500, (pool) => new AccountsReader(pool).searchAccounts(at, 'A1', 100)],
  ['delegates', 500, (pool) => new DelegatesReader(pool).listDelegates(at, 'rank', 'asc', 100, 0)],
  [
    'delegates by forged',
    500,
    (pool) => new DelegatesReader(pool).listDelegates(at, 'forged', 'desc', 100, 0),
  ],
  ['delegates by a name', 500, (pool) => new DelegatesReader(pool).searchDelegates(at, 'e_1', 100, 0)],
  ['delegates with a key', 30, (pool) => new DelegatesReader(pool).listMatching(at, KEY)],
  ['the newest delegate', 20, (pool) => new DelegatesReader(pool).findNewest(at)],
  ['forged totals', 20, (pool) => new DelegatesReader(pool).findForged(at, KEY)],
  ['voters', 1800, (pool) => new DelegatesReader(pool).findVoters(at, KEY, null, 0, 1000)],
  ['active delegates', 100, (pool) => new RankedDelegatesReader(pool).listActive(at, ROUND)],
  ['a ranked delegate', 100, (pool) => new RankedDelegatesReader(pool).findDelegate(at, ROUND, KEY)],
  ['a round', 100, (pool) => new RoundsReader(pool).findRound(at, ROUND, [1, HEIGHT])],
  ['blocks of the status', 300, (pool) => new StatusReader(pool).listBlocks(at, BLOCKS - 20)],
  ['the round of the status', 400, (pool) => new StatusReader(pool).findRound(at, ROUND, BLOCKS - 50, [1])],
  ['a past account', 40, (pool) => new HistoryAccountsReader(pool).findAccount(at, 'A8', HEIGHT)],
  ['changes', 600, (pool) => new HistoryAccountsReader(pool).listChanges(at, 'A8', 2 ** 31 - 1, 100)],
  ['past delegates', 1500, (pool) => new HistoryDelegatesReader(pool).listDelegates(at, HEIGHT + 99, 1000)],
  [
    'past voters',
    5000,
    (pool) => new HistoryDelegatesReader(pool).listVoters(at, { publicKey: KEY }, HEIGHT, 1000),
  ],
  ['past rounds', 1500, (pool) => new HistoryDelegatesReader(pool).listRounds(at, { publicKey: KEY }, 100)],
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
  ["a node's block", 100, (pool) => new NodeBlocksReader(pool).findBlock(at, blockId(HEIGHT))],
  ["a node's block at a height", 100, (pool) => new NodeBlocksReader(pool).findBlock(at, '777')],
  [
    "a node's blocks",
    400,
    (pool) => new NodeBlockListReader(pool, pool).listBlocks(at, { ...FIRST_PAGE, conditions: [] }),
  ],
  // Counting up to 10,000 of them reads one entry each, and its row unless the table was vacuumed.
  [
    "a node's blocks of a generator",
    6000,
    (pool) =>
      new NodeBlockListReader(pool, pool).listBlocks(at, {
        ...FIRST_PAGE,
        conditions: [{ filter: 'generatorPublicKey', text: KEY }],
      }),
  ],
  [
    "a node's delegates",
    500,
    (pool) => new NodeDelegatesReader(pool).listDelegates(at, 'votes', 'desc', 100, 0),
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
    6000,
    (pool) =>
      new NodeTransactionsReader(pool, pool).listTransactions(at, {
        ...FIRST_PAGE,
        conditions: [
          { filter: 'senderId', text: 'A1' },
          { filter: 'recipientId', text: 'A1' },
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
  ["a node's transaction", 40, (pool) => new NodeTransactionsReader(pool, pool).findTransaction(at, ID)],
];

/** Makes the planner believe that each column of each table has few different values, as samples of crowded blocks do. */
const MISJUDGE = `DO $$ DECLARE known record; BEGIN
FOR known IN SELECT relname, attname FROM pg_attribute JOIN pg_class c ON c.oid = attrelid
  WHERE relnamespace = 'public'::regnamespace AND relkind = 'r' AND attnum > 0
LOOP EXECUTE format('ALTER TABLE %I ALTER COLUMN %I SET (n_distinct = 20)', known.relname, known.attname); END LOOP;
END $$`;

describe('what a statement reads is bounded, whatever the planner expects', () => {
  let database: TestDatabase;
  let client: pg.Client;

  beforeAll(async () => {
    database = await createTestDatabase();
    client = new pg.Client({ connectionString: database.url });
    await client.connect();
    await growTables(client, 1, 10_000);
    await client.query('ANALYZE');
    await growTables(client, 10_001, BLOCKS);
  });

  afterAll(async () => {
    await client.end();
    await database.drop();
  });

  it.each([
    ['old', 'SELECT'],
    ['new', 'ANALYZE'],
    ['wrong', `${MISJUDGE}; ANALYZE`],
  ])('by %s statistics', async (_, change) => {
    await client.query(change);
    const excesses: string[] = [];
    for (const [name, most, ask] of ASKED) {
      const pool = new CountingPool(client);
      await ask(pool);
      if (pool.mostPages > most) excesses.push(`${name}: ${pool.mostPages} pages, more than ${most}`);
    }
    expect(excesses).toEqual([]);
  });
});
