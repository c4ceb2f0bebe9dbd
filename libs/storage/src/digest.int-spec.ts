import type { Client } from 'pg';
import { connectTestDatabase } from './connected-database.harness.js';
import { digestTables } from './digest.js';

describe('the digest of an index', () => {
  let client: Client;
  let close: () => Promise<void>;

  beforeAll(async () => {
    ({ client, close } = await connectTestDatabase());
  });

  afterAll(() => close());

  const addAccount = (address: string, balance: bigint) =>
    client.query('INSERT INTO accounts (number, address, balance, locked, nonce) VALUES ($1, $2, $3, 0, 0)', [
      address.charCodeAt(0),
      address,
      balance.toString(),
    ]);

  it('does not depend on the order in which rows were written', async () => {
    await addAccount('A', 1n);
    await addAccount('B', 9_007_199_254_740_993n);
    const before = await digestTables(client);
    await client.query('TRUNCATE accounts');
    await addAccount('B', 9_007_199_254_740_993n);
    await addAccount('A', 1n);
    expect(await digestTables(client)).toEqual(before);
  });

  it('changes with one arktoshi, for that table and for the whole index', async () => {
    const before = await digestTables(client);
    await client.query(`UPDATE accounts SET balance = balance + 1 WHERE address = 'B'`);
    const after = await digestTables(client);
    expect(after.sha256).not.toBe(before.sha256);
    const changed = after.tables.filter(({ sha256 }, index) => sha256 !== before.tables[index]!.sha256);
    expect(changed.map(({ table }) => table)).toEqual(['accounts']);
  });

  it('leaves out staging, undo records, the source and clocks', async () => {
    await client.query(
      `INSERT INTO head (height, block_id, "timestamp", supply, delegate_count) VALUES (1, '\\x01', 0, 0, 0)`,
    );
    const before = await digestTables(client);
    await client.query(`UPDATE head SET indexed_at = indexed_at + interval '1 hour'`);
    await client.query(`INSERT INTO source_status (source, height) VALUES ('node', 5)`);
    await client.query(
      `INSERT INTO staged_ranges (from_height, to_height, size_bytes, blocks) VALUES (2, 2, 1, 'x')`,
    );
    await client.query(
      `INSERT INTO undo_accounts (height, address, existed, balance, locked, nonce) VALUES (1, 'A', false, 0, 0, 0)`,
    );
    expect(await digestTables(client)).toEqual(before);
  });

  it.each([
    [
      '{"type":0,"data":{"name":"a","ipfsData":"b"}}',
      '{ "data": {"ipfsData":"b","name":"a"}, "type": 0 }',
      true,
    ],
    ['{"amount":0.5}', '{"amount":0.50}', false],
    ['{"name":"\\u0000"}', '{"name":"\\u0000"}', true],
    ['{"name":"\\ud800"}', '{"name":"\\uDC00"}', false],
    ['{"much":1e400000}', '{"much":1e400001}', false],
  ])('of the assets %s and %s is the same: %s', async (one, other, isSame) => {
    const digests: string[] = [];
    for (const asset of [one, other]) {
      await client.query('TRUNCATE transactions');
      await client.query(
        `INSERT INTO transactions (block_height, sequence, id, type_group, type, sender, amount, fee, asset)
         VALUES (1, 0, '\\x01', 2, 6, 1, 0, 0, $1)`,
        [asset],
      );
      digests.push((await digestTables(client)).sha256);
    }
    expect(digests[0] === digests[1]).toBe(isSame);
  });

  it('covers every table that the chain alone determines', async () => {
    const { rows } = await client.query<{ table_name: string }>(
      `SELECT table_name FROM information_schema.tables WHERE table_schema = 'roundhouse' ORDER BY table_name`,
    );
    const left =
      /^(migrations|typeorm_metadata|staged_ranges|refused_blocks|source_status|events|webhooks|webhook_events|undo_.*|round_digests|state_sums|rankings|round_candidates|certificates|certificate_pages)$/;
    const { tables } = await digestTables(client);
    expect(rows.map((row) => row.table_name).filter((name) => !left.test(name))).toEqual(
      tables.map(({ table }) => table).sort(),
    );
  });
});
