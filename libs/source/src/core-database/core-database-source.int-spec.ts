import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { decodeBlock } from '@roundhouse/blocks';
import { parseNetwork, type Block } from '@roundhouse/chain';
import {
  createEmptyDatabase,
  eventually,
  loadCoreDatabase,
  readRecording,
  recordingFile,
  type Recording,
  type TestDatabase,
} from '@roundhouse/testing';
import pg from 'pg';
import { decodeLine, SegmentDecoder } from '../archive/decode-line.js';
import { NodeUnavailableError } from '../errors/node-errors.js';
import { failureOf, refusal } from '../refusal.harness.js';
import { CoreDatabaseSource } from './core-database-source.js';

const ODD = 9007199254740993n;

let database: TestDatabase;
let client: pg.Client;
let source: CoreDatabaseSource;
let failures: NodeUnavailableError[];

const open = (url = database.url, timeoutMs = 10_000): CoreDatabaseSource =>
  new CoreDatabaseSource(new URL(url), { timeoutMs, onUnavailable: (error) => failures.push(error) });

beforeEach(async () => {
  failures = [];
  database = await createEmptyDatabase();
  client = new pg.Client({ connectionString: database.url });
  await client.connect();
  source = open();
});

afterEach(async () => {
  await source.close();
  await client.end();
  await database.drop();
});

describe('CoreDatabaseSource', () => {
  const decodedSegments = async (recording: Recording, from: number): Promise<Block[]> => {
    const network = parseNetwork(JSON.parse(readFileSync(recordingFile(recording, 'network.json'), 'utf8')));
    const decoder = new SegmentDecoder({ source: source.name, network, verify: 'hash' });
    const blocks: Block[] = [];
    for await (const segment of source.segments(from)) decoder.decode(segment, blocks);
    return blocks;
  };

  it.each([
    ['core-2.4', 322],
    ['core-2.4-full', 317],
    ['core-3.9', 322],
  ] as const)('returns the whole chain of a %s node as its peers send it', async (recording, height) => {
    const blocks = readRecording(recording, 'chain.ndjson.gz').map(decodeBlock);
    await loadCoreDatabase(database.url, recording);
    expect(await source.chainProblem()).toBeNull();
    expect(await source.blocks(1, 400)).toEqual(blocks);
    expect(await source.blocks(100, 102)).toEqual(blocks.slice(99, 102));
    expect(await source.blocks(height + 1, 400)).toEqual([]);
    expect(await source.tip()).toEqual({ height, id: blocks.at(-1)!.id });
    expect(await source.network()).toBeNull();
    if (recording === 'core-2.4-full') return;
    // Segments lack the newest 200 blocks.
    for (const from of [1, 50, 123])
      expect(await decodedSegments(recording, from)).toEqual(blocks.slice(from - 1, 122));
  });

  it('refuses a database that is not a node’s, and says which table is missing', async () => {
    const says = `${source.name} is not a Core node's database: it has no table blocks and no table transactions. Correct BLOCK_SOURCE.`;
    for (const ask of [() => source.tip(), () => source.blocks(1, 2)])
      await expect(ask()).rejects.toMatchObject(refusal(says));
    await loadCoreDatabase(database.url, 'core-2.4');
    await client.query('DROP TABLE transactions');
    await expect(source.blocks(1, 2)).rejects.toThrow('it has no table transactions.');
    expect(failures).toEqual([]);
  });

  it('refuses a database that does not exist, without showing the password', async () => {
    const url = new URL(database.url);
    url.pathname = '/no_such_database';
    url.password = 's3cret';
    const other = open(url.href);
    const error = await failureOf(other.tip());
    expect(error).toMatchObject(refusal(`${other.name} cannot be read as a Core node's database`));
    expect(`${other.name} ${error.stack} ${JSON.stringify(error)}`).not.toContain('s3cret');
    await other.close();
  });

  it('is unavailable as refused if nothing listens', async () => {
    const other = open('postgres://somebody:s3cret@127.0.0.1:1/node');
    const error = await failureOf(other.tip());
    expect(error).toMatchObject({ kind: 'refused', source: 'postgres://127.0.0.1:1/node' });
    expect(error.message).not.toContain('s3cret');
    expect(failures).toEqual([error]);
    await other.close();
  });
});

describe('CoreDatabaseSource, of a node of line 3.x', () => {
  beforeEach(() => loadCoreDatabase(database.url, 'core-3.9'));

  it('returns no segment with a missing block', async () => {
    await client.query('DELETE FROM blocks WHERE height = 7');
    const wrong = refusal('lacks 1 of the blocks from height 1 to 100');
    await expect(source.segments(1).next()).rejects.toMatchObject(wrong);
  });

  it.each([
    // The payload of a multi-payment begins with the number of payments, that of a transfer with the amount.
    ['a multi-payment', 6, 2],
    ['a transfer', 0, 0],
  ])('keeps the digits of an amount beyond 2^53 in %s', async (_, type, place) => {
    const amount = Buffer.alloc(8);
    amount.writeBigUInt64LE(ODD);
    const payment = await client.query<{ height: number; id: string }>(
      `UPDATE transactions SET serialized = overlay(serialized PLACING $1 FROM 60 + $2 + get_byte(serialized, 58))
       WHERE id = (SELECT id FROM transactions WHERE type = $3 AND type_group = 1 AND version = 2 LIMIT 1)
       RETURNING id, block_height AS height`,
      [amount, place, type],
    );
    const { height, id } = payment.rows[0]!;
    const [block] = await source.blocks(height, height);
    const transaction = block!.transactions.find((candidate) => candidate.id === id)!;
    expect(transaction.asset?.payments?.[0]?.amount ?? transaction.amount).toBe(ODD);
    const segment = (await source.segments(height).next()).value!;
    const line = Buffer.from(segment.bytes).toString().split('\n')[0]!;
    expect(decodeLine(source.name, line, height, decodeBlock)).toEqual(block);
  });

  it('reads only one transaction more than the headers state, to notice a surplus', async () => {
    await client.query('UPDATE blocks SET number_of_transactions = 3 WHERE height = 1');
    const [genesis] = await source.blocks(1, 1);
    expect(genesis!.transactions).toHaveLength(4);
  });

  it('cannot write, whatever rights its user has', async () => {
    await client.query(`
      CREATE TABLE visits (at timestamptz);
      ALTER TABLE blocks RENAME TO real_blocks;
      CREATE FUNCTION visited() RETURNS SETOF real_blocks LANGUAGE sql VOLATILE
        AS 'INSERT INTO visits VALUES (now()); SELECT * FROM real_blocks';
      CREATE VIEW blocks AS SELECT * FROM visited();`);
    await expect(source.tip()).rejects.toThrow('in a read-only transaction');
    expect((await client.query('SELECT FROM visits')).rowCount).toBe(0);
  });

  it('continues after its idle connections were cut', async () => {
    await source.tip();
    await client.query(
      `SELECT pg_terminate_backend(pid, 5000) FROM pg_stat_activity
       WHERE datname = current_database() AND application_name = 'roundhouse'`,
    );
    // A connection that the pool handed out before it noticed the end may still fail.
    await source.tip().catch((error: unknown) => expect(error).toBeInstanceOf(NodeUnavailableError));
    expect(await source.tip()).toMatchObject({ height: 322 });
  });

  it('names height and field of a malformed row', async () => {
    await client.query(`UPDATE blocks SET payload_hash = 'none' WHERE height = 7`);
    const says = 'returned a block at height 7 in an invalid form: "payloadHash"';
    const wrong = refusal(says, { height: 7, source: source.name });
    await expect(source.blocks(1, 10)).rejects.toMatchObject(wrong);
    await client.query(
      `UPDATE transactions SET serialized = substring(serialized FOR 40) WHERE sequence = 1 AND type = 0`,
    );
    const cutOff =
      /returned transaction [0-9a-f]{64} at height 1 in an invalid form: .*"serialized" is cut off/;
    await expect(source.blocks(1, 1)).rejects.toMatchObject(refusal(cutOff));
  });

  it('refuses the database of a node that names its columns otherwise', async () => {
    await client.query('ALTER TABLE transactions RENAME serialized TO serialised');
    await expect(source.tip()).rejects.toThrow(
      'is not the database of Core 2.x or 3.x: its transactions have no column "serialized". Correct BLOCK_SOURCE',
    );
  });

  it.each([
    ['a vote by username', 1, 3, '{"votes":["+gym"]}'],
    ['a vote with shares', 2, 2, '{"votes":{"gym":60,"sun":40}}'],
    ['burned tokens', 2, 0, null],
  ])('finds %s before the first block is read', async (_, typeGroup, type, asset) => {
    const { rows } = await client.query<{ id: string }>(
      `UPDATE transactions SET type_group = $1, type = $2, asset = $3
       WHERE id = (SELECT max(id) FROM transactions) RETURNING id`,
      [typeGroup, type, asset],
    );
    const { id } = rows[0]!;
    expect(await source.chainProblem()).toContain(
      `holds transactions by other rules than ARK's, such as ${id} (type ${type} of type group ${typeGroup})`,
    );
  });

  it('does not wait long for the search: the milestones show such a chain as well', async () => {
    await client.query('BEGIN; LOCK transactions IN ACCESS EXCLUSIVE MODE');
    expect(await source.chainProblem()).toBeNull();
    expect(failures).toEqual([]);
    await client.query('ROLLBACK');
    expect(await source.tip()).toMatchObject({ height: 322 });
  });

  it.each<[string, string, string]>([
    ['SELECT', 'GRANT USAGE ON SCHEMA public TO PUBLIC', 'GRANT SELECT ON blocks, transactions TO the user'],
    ['SELECT of one', 'GRANT SELECT ON blocks TO PUBLIC', 'GRANT SELECT ON transactions TO the user'],
    [
      'USAGE of the schema',
      'GRANT SELECT ON blocks, transactions TO PUBLIC; REVOKE USAGE ON SCHEMA public FROM PUBLIC',
      'GRANT USAGE ON SCHEMA public TO the user',
    ],
  ])(
    'names the missing right of a user without %s, and does not say that this is not a node’s database',
    async (_, grants, lacking) => {
      const role = `reader_${randomUUID().slice(0, 8)}`;
      await client.query(`CREATE ROLE ${role} LOGIN PASSWORD 'x'; ${grants}`);
      const url = new URL(database.url);
      [url.username, url.password] = [role, 'x'];
      const reader = open(url.href);
      try {
        const says = `The user of ${reader.name} may not read the node's tables: ${lacking}`;
        for (const ask of [() => reader.tip(), () => reader.blocks(1, 2)])
          await expect(ask()).rejects.toThrow(says);
        await client.query(
          `GRANT USAGE ON SCHEMA public TO ${role}; GRANT SELECT ON blocks, transactions TO ${role}`,
        );
        expect(await reader.tip()).toMatchObject({ height: 322 });
        expect(await reader.blocks(1, 2)).toHaveLength(2);
      } finally {
        await reader.close();
        await client.query(`DROP OWNED BY ${role}; DROP ROLE ${role}`);
      }
    },
  );

  it('refuses a database without blocks', async () => {
    await client.query('DELETE FROM blocks');
    await expect(source.tip()).rejects.toThrow('holds no block yet: let the node synchronise first');
  });

  it('is unavailable as a timeout if a statement takes too long', async () => {
    const hurried = open(database.url, 100);
    await client.query('BEGIN; LOCK TABLE blocks IN ACCESS EXCLUSIVE MODE');
    await expect(hurried.tip()).rejects.toMatchObject({ kind: 'timeout', name: 'NodeUnavailableError' });
    await client.query('ROLLBACK');
    await eventually('it answers again', async () => (await hurried.tip()).height === 322);
    await hurried.close();
  });
});
