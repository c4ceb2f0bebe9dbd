import { eventually } from '@roundhouse/testing';
import { IndexUnderTest } from './index-under-test.js';
import { indexer, type Ended } from './indexer-process.js';
import { IndexerRole } from './indexer-role.js';
import { RECORDED_HEAD, recording } from './recording.js';

const role = new IndexerRole('verifier');

describe('indexer verify, on a chain of a real node', () => {
  let index: IndexUnderTest;
  /** Under the indexer's role, which cannot change the schema. */
  let environment: Record<string, string>;

  const verify = (): Promise<Ended> => indexer(['verify'], environment);

  beforeAll(async () => {
    index = await IndexUnderTest.create('postgres', {
      ...recording('core-3.9'),
      ...role.settings,
    });
    environment = role.environmentOf(index);
  });

  afterAll(async () => {
    await role.drop(index);
    await index.close();
  });

  it('finds nothing while an indexer runs, and ends with 0', async () => {
    const run = index.run();
    await index.reach(RECORDED_HEAD, run);
    expect(await verify()).toEqual({
      code: 0,
      signal: null,
      stdout: expect.stringMatching(
        /^Verified 322 blocks up to \d+: every derived table agrees with them\.\n$/,
      ) as string,
      stderr: '',
    });
    await run.kill('SIGTERM');
  });

  it('lists what differs, counts the rest, and ends with 1', async () => {
    const { pool } = index;
    const { rows } = await pool.query<{ public_key: string; weight: string }>(
      `SELECT encode(public_key, 'hex') AS public_key, weight FROM delegates ORDER BY weight DESC LIMIT 1`,
    );
    const { public_key: publicKey, weight } = rows[0]!;
    const key = Buffer.from(publicKey, 'hex');
    await pool.query('UPDATE delegates SET weight = weight + 1 WHERE public_key = $1', [key]);
    await pool.query('UPDATE accounts SET locked = locked + 1');
    const { rowCount } = await pool.query('SELECT FROM accounts');
    const { code, stdout } = await verify();
    expect(code).toBe(1);
    const lines = stdout.split('\n');
    expect(lines[0]).toBe(`accounts: ${rowCount} rows differ`);
    expect(lines[1]).toMatch(/^ {2}A\w{33}: locked is 1, expected 0$/);
    expect(lines[21]).toBe(`  and ${rowCount! - 20} more`);
    expect(lines.slice(22)).toEqual([
      'delegates: 1 row differs',
      `  ${publicKey}: weight is ${BigInt(weight) + 1n}, expected ${weight}`,
      expect.stringMatching(/^Verified 322 blocks .*: the derived tables do not agree with them\.$/),
      '',
    ]);
    await pool.query('UPDATE delegates SET weight = weight - 1 WHERE public_key = $1', [key]);
    await pool.query('UPDATE accounts SET locked = locked - 1');
    expect(await verify()).toMatchObject({ code: 0 });
  });

  it('is done by an indexer with VERIFY_EVERY, too', async () => {
    await index.pool.query('DELETE FROM checkpoint.last_verification');
    const run = index.run({ ...environment, VERIFY_EVERY: '1' });
    await eventually('the indexer has verified the index', async () => {
      const { rowCount } = await index.pool.query(
        `SELECT FROM checkpoint.last_verification WHERE problem IS NULL AND height = ${RECORDED_HEAD}`,
      );
      return rowCount === 1;
    });
    expect(await run.kill('SIGTERM')).toMatchObject({ code: 0 });
  });

  it('names the block of a transaction that was changed, and ends with 1', async () => {
    const verify = (): Promise<Ended> => indexer(['verify', '--from-genesis'], environment);
    await index.pool.query(
      `UPDATE transactions SET vendor_field = vendor_field || '\\x21' WHERE id =
         (SELECT id FROM transactions WHERE vendor_field IS NOT NULL ORDER BY block_height LIMIT 1)`,
    );
    const changed = await verify();
    expect(changed.code).toBe(1);
    expect(changed.stdout).toMatch(
      /^block \d+: transaction [0-9a-f]{64} has contents that give the id [0-9a-f]{64}\nVerified 322 .*: 1 of them contradict themselves\.\n$/,
    );
    await index.pool.query('UPDATE transactions SET asset = NULL');
    const broken = await verify();
    expect(broken.code).toBe(1);
    expect(broken.stdout).toMatch(
      /^block 1: it has a malformed field: .*\nblock 1: .*\nThe stored blocks above height 0 cannot be applied/,
    );
  });
});
