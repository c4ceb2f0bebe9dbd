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

  it('covers every table that the chain alone determines', async () => {
    const { rows } = await client.query<{ table_name: string }>(
      `SELECT table_name FROM information_schema.tables WHERE table_schema = 'public' ORDER BY table_name`,
    );
    const left =
      /^(migrations|typeorm_metadata|staged_ranges|refused_blocks|source_status|events|undo_.*|round_digests|state_sums|rankings|round_candidates)$/;
    const { tables } = await digestTables(client);
    expect(rows.map((row) => row.table_name).filter((name) => !left.test(name))).toEqual(
      tables.map(({ table }) => table).sort(),
    );
  });
});
