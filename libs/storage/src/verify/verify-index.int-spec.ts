import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { computeBlockId } from '@roundhouse/blocks';
import { randomChain, snapshotTables } from '@roundhouse/testing';
import type { TableDifferences } from './compare-tables.js';
import { IndexedChain } from './indexed-chain.harness.js';
import { verifyIndex, type IndexReport, type VerifyOptions } from './verify-index.js';

const BLOCKS = 160;
const UNDO_DEPTH = 30;
const SEEDS = [1, 20_170_321, 4_004_004];

const verified = (index: IndexedChain, options: Partial<VerifyOptions> = {}): Promise<IndexReport> =>
  index.apart((client) => verifyIndex(client, { listed: 3, ...options }));

describe('verifyIndex on a sound index', () => {
  it.each(SEEDS)(
    'finds nothing and changes nothing, even with few accounts in memory (seed %i)',
    async (seed) => {
      const { network, blocks } = randomChain({ seed, blocks: BLOCKS });
      const index = await IndexedChain.create(network, blocks, UNDO_DEPTH);
      const before = await snapshotTables(index.client);
      const sound = { head: { height: BLOCKS }, badBlocks: [], isBroken: false, tables: [] };
      expect(await verified(index)).toMatchObject(sound);
      expect(await verified(index, { accountCapacity: 3 })).toMatchObject(sound);
      expect(await verified(index, { flushBlocks: 20 })).toMatchObject(sound);
      expect(await snapshotTables(index.client)).toEqual(before);
      await index.close();
    },
  );

  it('names a block that was not forged by the delegate whose slot it was', async () => {
    const { network, blocks } = randomChain({ seed: 7, blocks: BLOCKS });
    const last = blocks.at(-1)!;
    const { generatorPublicKey } = blocks.findLast(
      (block) => block.generatorPublicKey !== last.generatorPublicKey,
    )!;
    const usurped = { ...last, generatorPublicKey };
    const id = computeBlockId(usurped, false);
    const index = await IndexedChain.create(network, [...blocks.slice(0, -1), { ...usurped, id }]);
    const problem = expect.stringMatching(/^its generator is .*, but the slot of its timestamp/);
    expect(await verified(index)).toMatchObject({
      badBlocks: [{ height: BLOCKS, problem }],
      isBroken: false,
    });
    await index.close();
  });

  it('reports its progress', async () => {
    const { network, blocks } = randomChain({ seed: 7, blocks: BLOCKS });
    const index = await IndexedChain.create(network, blocks);
    const progress: [number, number][] = [];
    await verified(index, { onProgress: (done, of) => void progress.push([done, of]) });
    expect(progress.at(-1)).toEqual([BLOCKS, BLOCKS]);
    await index.close();
  });

  it('does not see what others write meanwhile', async () => {
    const { network, blocks } = randomChain({ seed: 7, blocks: BLOCKS });
    const index = await IndexedChain.create(network, blocks);
    const report = await index.apart((client) => {
      const query = client.query.bind(client) as (...values: unknown[]) => Promise<unknown>;
      const change = (): Promise<unknown> => index.client.query('UPDATE accounts SET balance = balance + 1');
      client.query = ((...values: unknown[]) => {
        const isComparison = String(values[0]).includes('FULL JOIN');
        return isComparison ? change().then(() => query(...values)) : query(...values);
      }) as typeof client.query;
      return verifyIndex(client, { listed: 1 });
    });
    expect(report.tables).toEqual([]);
    expect(await verified(index)).toMatchObject({ tables: [{ table: 'accounts' }] });
    await index.close();
  });
});

describe('verifyIndex on a damaged index', () => {
  const { network, blocks } = randomChain({ seed: 42, blocks: BLOCKS });
  let index: IndexedChain;

  /** The report on an index after these statements changed it. */
  const after = async (...statements: string[]): Promise<IndexReport> => {
    const broken = await IndexedChain.create(network, blocks, UNDO_DEPTH);
    try {
      for (const statement of statements) expect((await broken.client.query(statement)).rowCount).not.toBe(0);
      return await verified(broken);
    } finally {
      await broken.close();
    }
  };

  const only = ({ tables, isBroken, badBlocks }: IndexReport): TableDifferences => {
    expect({ tables: tables.length, isBroken, badBlocks }).toEqual({
      tables: 1,
      isBroken: false,
      badBlocks: [],
    });
    return tables[0]!;
  };

  beforeAll(async () => {
    index = await IndexedChain.create(network, blocks, UNDO_DEPTH);
  });

  afterAll(() => index.close());

  it('names the row with the expected and the found values, with all digits', async () => {
    const { rows } = await index.client.query<{ address: string; balance: string }>(
      'SELECT address, balance FROM accounts WHERE balance > 9007199254740993 ORDER BY address LIMIT 1',
    );
    const { address, balance } = rows[0]!;
    const {
      table,
      total,
      rows: found,
    } = only(await after(`UPDATE accounts SET balance = balance + 1 WHERE address = '${address}'`));
    expect({ table, total }).toEqual({ table: 'accounts', total: 1 });
    expect(found).toMatchObject([
      { key: address, expected: { balance }, found: { balance: (BigInt(balance) + 1n).toString() } },
    ]);
  });

  it('reports a missing row and an extra row', async () => {
    const missing = only(await after(`DELETE FROM rounds WHERE round = 2`));
    expect(missing).toMatchObject({
      table: 'rounds',
      total: 1,
      rows: [{ key: '2', expected: { first_height: '6' }, found: null }],
    });
    const surplus = only(
      await after(
        `INSERT INTO locks (transaction_id, sender_address, recipient_address, amount) VALUES ('\\xab', 'A', 'B', 5)`,
      ),
    );
    expect(surplus).toMatchObject({
      table: 'locks',
      rows: [{ key: 'ab', expected: null, found: { transaction_id: 'ab', amount: '5' } }],
    });
  });

  it('lists no more rows than requested, and counts all', async () => {
    const report = only(await after('UPDATE accounts SET vote = NULL, locked = locked - 1'));
    const { rows } = await index.client.query<{ count: number }>('SELECT count(*)::int FROM accounts');
    expect(report.total).toBe(rows[0]!.count);
    expect(report.rows).toHaveLength(3);
  });

  // rebuild-index.int-spec.ts does this for all tables that a rebuild corrects.
  it.each([
    [
      'public_keys',
      'UPDATE public_keys SET height = height - 1 WHERE number = (SELECT max(number) FROM public_keys)',
    ],
    ['addresses', 'UPDATE addresses SET height = height + 1 WHERE number = 2'],
    ['addresses', `INSERT INTO addresses SELECT max(number) + 1, 1, 'unmentioned' FROM addresses`],
  ])('sees a change of %s: %s', async (table, statement) => {
    expect(only(await after(statement)).table).toBe(table);
  });

  it('reports a block whose transactions are not its own, and compares the tables that follow from them', async () => {
    const report = await after(
      `UPDATE transactions SET amount = amount + 7 WHERE block_height = 1 AND sequence = 0`,
    );
    expect(report.badBlocks).toEqual([
      { height: 1, problem: expect.stringMatching(/^its totalAmount is \d+, but \d+ is right$/) },
    ]);
    expect(report.isBroken).toBe(false);
    expect(report.tables.map(({ table }) => table)).toContain('accounts');
  });

  const TRANSFER = `(block_height, sequence) = (
    SELECT block_height, sequence FROM transactions WHERE type_group = 1 AND type = 0 AND vendor_field IS NOT NULL
    ORDER BY block_height DESC, sequence LIMIT 1)`;

  it.each([
    ['amount', 'amount = amount + 1 - 2 * sequence WHERE block_height = 1 AND sequence < 2'],
    [
      'recipient',
      `recipient = (SELECT number FROM addresses WHERE number <> recipient LIMIT 1) WHERE ${TRANSFER}`,
    ],
    ['vendor field', `vendor_field = vendor_field || '\\x21' WHERE ${TRANSFER}`],
    ['nonce', `nonce = nonce + 1 WHERE ${TRANSFER}`],
    ['signature', `signature = set_byte(signature, 9, 255 - get_byte(signature, 9)) WHERE ${TRANSFER}`],
    ['asset', `asset = '{"username":"other"}' WHERE block_height = 1 AND asset->>'username' = 'genesis_3'`],
  ])('names the block of a transaction whose %s was changed', async (_, change) => {
    const { badBlocks, isBroken } = await after(`UPDATE transactions SET ${change}`);
    const problem = expect.stringMatching(
      /^transaction [0-9a-f]{64} has contents that give the id [0-9a-f]{64}$/,
    );
    expect({ badBlocks, isBroken }).toEqual({
      badBlocks: [{ height: expect.any(Number), problem }],
      isBroken: false,
    });
  });

  it('sees numbers that are in another order than the blocks mention them', async () => {
    const swapped = 'CASE WHEN %s = 1 THEN 2 WHEN %s = 2 THEN 1 ELSE %s END';
    const [number, recipient] = ['number', 'recipient'].map((column) => swapped.replaceAll('%s', column));
    const report = await after(
      'ALTER TABLE addresses DROP CONSTRAINT pk_addresses',
      `UPDATE addresses SET number = ${number}`,
      `UPDATE transactions SET recipient = ${recipient}`,
      'ALTER TABLE payments DROP CONSTRAINT pk_payments',
      `UPDATE payments SET recipient = ${recipient}`,
    );
    expect(only(report)).toMatchObject({ table: 'addresses', total: 2 });
  });

  it.each(['public_keys', 'addresses'])('names the block whose row in %s is missing', async (table) => {
    const report = await after(`DELETE FROM ${table} WHERE number = 3`);
    expect(report.badBlocks[0]).toEqual({ height: 1, problem: expect.any(String) });
  });

  it('names the height where the blocks end if one is missing', async () => {
    const gap = await after('DELETE FROM blocks WHERE height = 100');
    expect(gap).toMatchObject({
      head: { height: 99 },
      isBroken: true,
      badBlocks: [{ height: 101, problem: 'height 101 came instead of height 100' }],
      tables: [],
    });
  });

  it.each([
    ['blocks', -5, 'there is a block, but it is below the genesis block'],
    ['transactions', BLOCKS + 7, 'there are transactions, but no block'],
    ['transactions', -2, 'there are transactions, but no block'],
  ])(
    'names the height of a row in %s at height %i, where no block can lead to it',
    async (table, height, problem) => {
      const key = table === 'blocks' ? 'height' : 'block_height';
      const report = await after(
        `INSERT INTO ${table} SELECT (jsonb_populate_record(one, '{"${key}": ${height}, "id": "\\\\x01"}')).*
       FROM ${table} AS one WHERE ${key} = 1 LIMIT 1`,
      );
      expect(report).toMatchObject({
        badBlocks: [],
        strays: [{ height, problem }],
        isBroken: false,
        tables: [],
      });
    },
  );

  it('reads no transaction of a block to find rows without one, and lists the lowest of very many', async () => {
    const plans: string[] = [];
    const broken = await IndexedChain.create(network, blocks, UNDO_DEPTH);
    const report = await broken.apart(async (client) => {
      await client.query(
        `INSERT INTO transactions SELECT (jsonb_populate_record(one, jsonb_build_object('block_height', n, 'id', '\\x'||lpad(to_hex(n), 8, '0')))).*
         FROM transactions AS one, generate_series(${BLOCKS + 1}, ${BLOCKS + 150}) AS n WHERE block_height = 1 AND sequence = 0`,
      );
      const query = client.query.bind(client) as (...values: unknown[]) => Promise<unknown>;
      client.query = (async (sql: unknown, ...values: unknown[]) => {
        if (String(sql).includes('there are transactions, but no block')) {
          await query('SET LOCAL enable_seqscan = off; SET LOCAL enable_bitmapscan = off');
          const { rows } = (await query(`EXPLAIN ${String(sql)}`, ...values)) as {
            rows: { 'QUERY PLAN': string }[];
          };
          plans.push(...rows.map((row) => row['QUERY PLAN']));
        }
        return query(sql, ...values);
      }) as typeof client.query;
      return verifyIndex(client, { listed: 1 });
    });
    await broken.close();
    expect(report.strays).toHaveLength(100);
    expect(report.strays[0]).toMatchObject({ height: BLOCKS + 1 });
    expect(plans.filter((line) => line.includes('Index Cond'))).toEqual([
      expect.stringContaining('(height < 1)'),
      expect.stringContaining('(block_height < 1)'),
      expect.stringContaining(`(block_height > ${BLOCKS})`),
    ]);
  });

  it('sees a key with a number below 1', async () => {
    const report = await after(`INSERT INTO public_keys (number, height, value) VALUES (0, 1, '\\x02')`);
    expect(only(report)).toMatchObject({ table: 'public_keys', total: 1, rows: [{ key: '0' }] });
  });

  it('names a block whose id is not its own, and the next one, which links to another', async () => {
    const problem = expect.stringMatching(/^its id is \d+, but its contents give \d+$/);
    const link = await after(`UPDATE blocks SET id = set_byte(id, 0, 7) WHERE height = 50`);
    expect(link).toMatchObject({
      isBroken: false,
      badBlocks: [
        { height: 50, problem },
        { height: 51, problem },
      ],
    });
  });

  it('names the block of a transaction that lacks its asset', async () => {
    const problem = expect.stringMatching(/^it has a malformed field: /);
    expect(await after('UPDATE transactions SET asset = NULL')).toMatchObject({
      badBlocks: [{ height: 1, problem }, { height: 1 }],
      isBroken: true,
    });
  });
});
