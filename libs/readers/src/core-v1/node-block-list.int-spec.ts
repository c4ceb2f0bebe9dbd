import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { EMPTY_PAYLOAD_HASH, type BlockRef } from '@roundhouse/chain';
import { createTestDatabase, type TestDatabase } from '@roundhouse/testing';
import pg from 'pg';
import { NodeBlocksReader } from './node-blocks.reader.js';

/** Three groups of heights. */
const HEAD: BlockRef = { height: 3_000, id: '3000' };

/** The first generator forged every third block, the second only two, far from each other. */
const FILL = `
INSERT INTO public_keys (number, height, value) VALUES (1, 1, '\\x0201'), (2, 2, '\\x0202'), (3, 3, '\\x0203');
INSERT INTO blocks (height, id, version, "timestamp", reward, generator, block_signature)
SELECT height, int8send(height), 0, height * 8, 0,
  CASE WHEN height IN (2, 2900) THEN 2 WHEN height % 3 = 0 THEN 1 ELSE 3 END, '\\x30'
FROM generate_series(1, 3000) height;
INSERT INTO head (height, block_id, "timestamp", supply, delegate_count) VALUES (3000, int8send(3000), 24000, 0, 0)`;

describe('lists of blocks of a long chain', () => {
  let database: TestDatabase;
  let pool: pg.Pool;
  let reader: NodeBlocksReader;

  beforeAll(async () => {
    database = await createTestDatabase();
    pool = new pg.Pool({ connectionString: database.url, max: 1 });
    await pool.query(`${FILL}; ANALYZE blocks`);
    reader = new NodeBlocksReader(pool, pool);
  });

  afterAll(async () => {
    await pool.end();
    await database.drop();
  });

  it.each([
    ['numberOfTransactions', '0'],
    ['totalAmount', '0'],
    ['payloadHash', EMPTY_PAYLOAD_HASH],
  ] as const)('estimate the number of blocks with the usual %s well', async (filter, text) => {
    const order = { column: 'height', direction: 'desc' } as const;
    const page = { limit: 100, offset: 0, order, conditions: [{ filter, text }] };
    expect((await reader.listBlocks(HEAD, page)).count).toBe(HEAD.height);
  });

  const heightsOf = async (key: string, direction: 'asc' | 'desc', offset = 0, limit = 100) => {
    const conditions = [{ filter: 'generatorPublicKey', text: key }] as const;
    const order = { column: 'height', direction } as const;
    const { blocks, count } = await reader.listBlocks(HEAD, { limit, offset, order, conditions });
    const heights = (JSON.parse(`[${blocks}]`) as { readonly height: number }[]).map(({ height }) => height);
    return { heights, count };
  };

  const OWN = Array.from({ length: 1_000 }, (_, index) => 3 * (index + 1)).filter(
    (height) => height !== 2_900,
  );

  it.each([0, 290, 300, 640, 950])(
    'have the blocks of a generator in order, from offset %d on',
    async (offset) => {
      expect(await heightsOf('0201', 'asc', offset)).toEqual({
        heights: OWN.slice(offset, offset + 100),
        count: OWN.length,
      });
      expect(await heightsOf('0201', 'desc', offset)).toEqual({
        heights: OWN.toReversed().slice(offset, offset + 100),
        count: OWN.length,
      });
    },
  );

  it('find the blocks of a generator however far from each other they are', async () => {
    expect(await heightsOf('0202', 'desc')).toEqual({ heights: [2_900, 2], count: 2 });
    expect(await heightsOf('0202', 'asc', 1, 1)).toEqual({ heights: [2_900], count: 2 });
  });

  it('walk the index of generators without sorting more than a group of heights', async () => {
    const plans: string[] = [];
    const explaining = {
      query: async (statement: pg.QueryConfig) => {
        const { rows } = await pool.query<{ 'QUERY PLAN': string }>({
          ...statement,
          text: `EXPLAIN (COSTS off) ${statement.text}`,
        });
        plans.push(rows.map((row) => row['QUERY PLAN']).join('\n'));
        return pool.query(statement);
      },
    };
    const conditions = [{ filter: 'generatorPublicKey', text: '0201' }] as const;
    const page = {
      limit: 10,
      offset: 0,
      order: { column: 'height', direction: 'desc' },
      conditions,
    } as const;
    await new NodeBlocksReader(explaining, explaining).listBlocks(HEAD, page);
    expect(plans[0]).toMatch(/Incremental Sort[^]*Index Scan Backward using ix_blocks__generator/);
  });
});
