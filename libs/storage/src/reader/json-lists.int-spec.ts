import { createTestDatabase, type TestDatabase } from '@roundhouse/testing';
import { Pool } from 'pg';
import { BlocksReader } from './blocks.reader.js';
import { DelegatesReader } from './delegates.reader.js';
import { HeadPassedError } from './head-passed.error.js';

const HEAD = { height: 2, id: '22' };
const KEY = `02${'ab'.repeat(32)}`;
const LONG = '9007199254740993';

const SEED = `
INSERT INTO head (height, block_id, "timestamp", supply, delegate_count) VALUES (2, '22', 8, 0, 1);
INSERT INTO blocks VALUES
  (1, '11', 0, 0, '0', 0, ${LONG}, 0, 0, 0, 'ff', '${KEY}', '30'),
  (2, '22', 0, 8, '11', 0, 0, 0, ${LONG}, 0, 'ee', '${KEY}', '31');
INSERT INTO delegates VALUES ('${KEY}', 'D', E'a"\\\\\\t\u2028é😀', 0, false, 1, 2, 0, 0, 1, 0);
INSERT INTO accounts VALUES
  ('D', '${KEY}', -${LONG}, 0, '${KEY}'), ('E', '03', ${LONG}, 0, '${KEY}'), ('A', '02', ${LONG}, 0, '${KEY}')`;

describe('lists that PostgreSQL writes as JSON', () => {
  let database: TestDatabase;
  let pool: Pool;

  beforeAll(async () => {
    database = await createTestDatabase();
    pool = new Pool({ connectionString: database.url });
    await pool.query(SEED);
  });

  afterAll(async () => {
    await pool.end();
    await database.drop();
  });

  const voters = (key: string, limit: number | null = null, offset = 0): Promise<string | null> =>
    new DelegatesReader(pool).findVoters(HEAD, key, limit, offset);

  it('keep all digits, escape names, and are in order', async () => {
    const name = JSON.stringify('a"\\\t\u2028é😀');
    expect(await voters(KEY)).toBe(
      `{"username":null,"address":"A","publicKey":"02","balance":${LONG}},` +
        `{"username":null,"address":"E","publicKey":"03","balance":${LONG}},` +
        `{"username":${name},"address":"D","publicKey":"${KEY}","balance":-${LONG}}`,
    );
  });

  it('hold the requested page, and nothing past the end', async () => {
    expect(await voters(KEY, 1, 1)).toContain('"address":"E"');
    expect(await voters(KEY, null, 3)).toBe('');
  });

  it('distinguish a missing delegate from one without voters', async () => {
    expect(await voters(`03${'ab'.repeat(32)}`)).toBeNull();
  });

  it('are refused as a whole if a row has a null in a required field', async () => {
    await pool.query(`UPDATE accounts SET public_key = NULL WHERE address = 'A'`);
    await expect(voters(KEY)).rejects.toThrow('The query "voters" returned 1 rows with a null');
    await pool.query(`UPDATE accounts SET public_key = '02' WHERE address = 'A'`);
  });

  it('count confirmations from the head', async () => {
    const blocks = new BlocksReader(pool);
    const list = JSON.parse(`[${await blocks.listBlocks(HEAD, 1, 2)}]`) as { confirmations: number }[];
    expect(list.map(({ confirmations }) => confirmations)).toEqual([0, 1]);
    expect(await blocks.findBlock(HEAD, '11')).toContain(`"totalAmount":${LONG},`);
    expect(await blocks.findBlock(HEAD, '33')).toBe('');
  });

  it('belong to the requested head', async () => {
    const blocks = new BlocksReader(pool);
    await expect(blocks.findBlock({ height: 2, id: '23' }, '11')).rejects.toThrow(HeadPassedError);
  });
});
