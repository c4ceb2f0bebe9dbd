import { createHash } from 'node:crypto';
import { createTestDatabase, type TestDatabase } from '@roundhouse/testing';
import { Pool } from 'pg';
import type { ListOrStream } from './at-head.js';
import { BlocksReader } from './blocks.reader.js';
import { DelegatesReader } from './delegates.reader.js';
import { HeadPassedError } from './errors.js';
import { openStreams, textOf } from './row-streams.harness.js';
import type { RowStreams } from './row-streams.js';

const HEAD = { height: 2, id: '22' };
const KEY = `02${'ab'.repeat(32)}`;
const LONG = '9007199254740993';

/** The most rows of a list. */
const MOST = 3;

const SEED = `
INSERT INTO head (height, block_id, "timestamp", supply, delegate_count) VALUES (2, '\\x0000000000000016', 8, 0, 1);
INSERT INTO blocks (height, id, version, "timestamp", number_of_transactions, total_amount, total_fee, reward,
  payload_length, payload_hash, generator, block_signature)
VALUES
  (1, '\\x000000000000000b', 0, 0, 0, ${LONG}, 0, 0, 0, '\\xff', 1, '\\x30'),
  (2, '\\x0000000000000016', 0, 8, 0, 0, 0, ${LONG}, 0, NULL, 1, '\\x31');
INSERT INTO public_keys (number, height, value) VALUES (1, 1, '\\x${KEY}');
INSERT INTO delegates (number, public_key, address, username, weight, is_resigned, produced_blocks, missed_blocks, forged_fees,
  forged_rewards, registered_height, registered_sequence)
VALUES (1, '\\x${KEY}', 'D', E'a"\\\\\\t\u2028é😀', 0, false, 1, 2, 0, 0, 1, 0);
INSERT INTO accounts (number, address, public_key, balance, locked, nonce, vote) VALUES
  (1, 'D', '\\x${KEY}', -${LONG}, 0, 0, '\\x${KEY}'), (2, 'E', '\\x03', ${LONG}, 0, 0, '\\x${KEY}'),
  (3, 'A', '\\x02', ${LONG}, 0, 0, '\\x${KEY}')`;

describe('lists that PostgreSQL writes as JSON', () => {
  let database: TestDatabase;
  let pool: Pool;
  let streams: RowStreams;

  beforeAll(async () => {
    database = await createTestDatabase();
    pool = new Pool({ connectionString: database.url });
    await pool.query(SEED);
    streams = openStreams(database.url);
  });

  afterAll(async () => {
    await streams.close();
    await pool.end();
    await database.drop();
  });

  const find = (key: string, limit: number | null, offset: number, most: number) =>
    new DelegatesReader(pool).findVoters(HEAD, key, limit, offset, most);

  const voters = (key: string, limit: number | null = null, offset = 0) => find(key, limit, offset, MOST);

  const stream = async (limit: number | null, offset: number, head = HEAD) => {
    const read = (await find(KEY, limit, offset, 0)) as Exclude<ListOrStream, string>;
    return read({ read: (_at, query, values) => streams.read(head, query, values) });
  };

  const streamed = async (limit: number | null = null, offset = 0, head = HEAD): Promise<string> =>
    textOf(await stream(limit, offset, head));

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

  it('are not made if they have more rows than allowed', async () => {
    expect(await find(KEY, null, 0, 2)).toBeInstanceOf(Function);
    expect(await find(KEY, 999_999_999_999_999, 0, 2)).toBeInstanceOf(Function);
    expect(await find(KEY, 2, 0, 2)).toContain('"address":"E"');
    expect(await find(KEY, null, 1, 2)).toContain('"address":"E"');
  });

  it('have the same bytes when they are read in pieces', async () => {
    expect(await streamed()).toBe(await voters(KEY));
    expect(await streamed(1, 1)).toBe(await voters(KEY, 1, 1));
    expect(await streamed(999_999_999_999_999, 2)).toBe(await voters(KEY, null, 2));
    await expect(streamed(null, 0, { height: 2, id: '23' })).rejects.toThrow(HeadPassedError);
  });

  it('free their connection if the reading ends early', async () => {
    const reading = await stream(null, 0);
    await reading.next();
    await reading.return();
    expect(await streamed()).toBe(await voters(KEY));
  });

  it('distinguish a missing delegate from one without voters', async () => {
    expect(await voters(`03${'ab'.repeat(32)}`)).toBeUndefined();
  });

  it('are refused as a whole if a row has a null in a required field', async () => {
    await pool.query(`UPDATE accounts SET public_key = NULL WHERE address = 'A'`);
    await expect(voters(KEY)).rejects.toThrow('The query "voters" returned 1 rows with a null');
    await expect(streamed()).rejects.toThrow('The query "voters-stream" returned a row with a null');
    await pool.query(`UPDATE accounts SET public_key = '\\x02' WHERE address = 'A'`);
  });

  it('count confirmations from the head', async () => {
    const blocks = new BlocksReader(pool);
    const list = JSON.parse(`[${await blocks.listBlocks(HEAD, 1, 2)}]`) as { confirmations: number }[];
    expect(list.map(({ confirmations }) => confirmations)).toEqual([0, 1]);
    expect(await blocks.findBlock(HEAD, { id: '11' })).toContain(`"totalAmount":${LONG},`);
    expect(await blocks.findBlock(HEAD, { id: '33' })).toBe('');
    // Not the id of a block, although it is the same number.
    expect(await blocks.findBlock(HEAD, { id: '011' })).toBe('');
  });

  it('fill in what rows do not repeat: the id of the block below, and the payload hash of an empty block', async () => {
    const blocks = new BlocksReader(pool);
    const list = JSON.parse(`[${await blocks.listBlocks(HEAD, 1, 2)}]`) as Record<string, unknown>[];
    expect(list).toMatchObject([
      { id: '22', previousBlock: '11', payloadHash: createHash('sha256').digest('hex') },
      { id: '11', previousBlock: '0', payloadHash: 'ff' },
    ]);
    await pool.query('UPDATE blocks SET height = 0 WHERE height = 1');
    await expect(blocks.findBlock(HEAD, { id: '22' })).rejects.toThrow('returned 1 rows with a null');
    await expect(blocks.listBlocks(HEAD, 1, 2)).rejects.toThrow('returned 1 rows with a null');
    await expect(blocks.listBlocks(HEAD, 2, 2)).rejects.toThrow('returned 1 rows with a null');
    await pool.query('UPDATE blocks SET height = 1 WHERE height = 0');
  });

  it('belong to the requested head', async () => {
    const blocks = new BlocksReader(pool);
    await expect(blocks.findBlock({ height: 2, id: '23' }, { id: '11' })).rejects.toThrow(HeadPassedError);
  });
});
