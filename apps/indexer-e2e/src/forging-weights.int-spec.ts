import { applyBlock, Ledger } from '@roundhouse/chain';
import { createBlockSource, loadNetwork } from '@roundhouse/source';
import { IndexUnderTest } from './index-under-test.js';
import type { Ended } from './indexer-process.js';
import { recording } from './recording.js';

/** A claim by a third party changed the forgers of round 6, which begins at 256. Clean weights refuse block 257. */
const CHAIN = recording('core-3.9-full');
const HEAD = 352;
const OTHER_ROUND = 6;
const OLD_HEAD = 256;

const TO_PUBLIC = `DO $$ DECLARE moved text; BEGIN
FOR moved IN SELECT 'TABLE ' || oid::regclass FROM pg_class WHERE relnamespace = 'roundhouse'::regnamespace AND relkind = 'r'
  UNION ALL SELECT 'FUNCTION ' || oid::regprocedure FROM pg_proc WHERE pronamespace = 'roundhouse'::regnamespace
LOOP EXECUTE format('ALTER %s SET SCHEMA public', moved); END LOOP;
END $$; DROP SCHEMA roundhouse;`;

/** The tables of the version before. */
const DOWNGRADE = ['public', 'checkpoint']
  .map(
    (schema) => `
ALTER TABLE ${schema}.head DROP COLUMN claims_height, DROP COLUMN has_details;
ALTER TABLE ${schema}.rounds DROP COLUMN first_slot, DROP COLUMN forgotten_claims, DROP COLUMN weights;
ALTER TABLE ${schema}.accounts DROP COLUMN attributes;
ALTER TABLE ${schema}.undo_accounts DROP COLUMN attributes;
DROP TABLE ${schema}.claim_drifts, ${schema}.round_candidates, ${schema}.round_revisions, ${schema}.misplaced_blocks;`,
  )
  .join('');

/** What the migrations since have added besides. */
const DOWNGRADE_MORE = `
DROP INDEX IF EXISTS ix_transactions__unlocked;
DROP TABLE daily_fees, webhook_events, webhooks, certificates, certificate_pages,
  daily_statistics, undo_daily_statistics, checkpoint.daily_statistics, checkpoint.undo_daily_statistics;
ALTER TABLE network DROP COLUMN proven_at, DROP COLUMN final_height, DROP COLUMN final_id, DROP COLUMN end_problem;
ALTER TABLE checkpoint.proof DROP COLUMN signatures, DROP COLUMN lenient, DROP COLUMN most_unknown_fee`;

/** The first migration since. That of the indexes changes no table. */
const FORGET_MIGRATIONS = `
DELETE FROM migrations WHERE "timestamp" >= 1764700000000 AND name NOT LIKE 'BuildIndexesLast%'`;

/** The numbers of the forgers that the version before fixed for the round above the head. */
const cleanForgers = async (): Promise<number[]> => {
  const network = await loadNetwork(CHAIN.NETWORK);
  const source = await createBlockSource({ urls: CHAIN.BLOCK_SOURCE, network });
  const ledger = Ledger.empty(network);
  ledger.knowsClaims = false;
  for (const block of await source.blocks(1, OLD_HEAD)) applyBlock(ledger, block);
  await source.close();
  return ledger.round!.forgingOrder.map((key) => ledger.delegates.get(key)!.number);
};

describe('a chain whose nodes chose forgers by weights that a claim had changed', () => {
  let index: IndexUnderTest;
  const run = (...command: string[]): Promise<Ended> => index.command(...command);
  const open = async (): Promise<void> => {
    index = await IndexUnderTest.create('postgres', { ...CHAIN, VERIFY: 'full', HISTORY: 'full' });
  };
  let straight: string;

  afterEach(() => index.close());

  it('is indexed to its head without a restart, and is sound', async () => {
    await open();
    expect(await run('sync')).toMatchObject({
      code: 0,
      stdout: expect.stringContaining(`at block ${HEAD}`),
    });
    expect(await run('verify')).toMatchObject({ code: 0 });
    const { rows } = await index.pool.query(
      `SELECT (SELECT count(*) FROM claim_drifts) AS claims, (SELECT count(*) FROM round_revisions) AS revisions,
        (SELECT count(*) FROM misplaced_blocks) AS misplaced, (SELECT sum(forgotten_claims) FROM rounds) AS forgotten`,
    );
    expect(rows).toEqual([
      { claims: expect.not.stringMatching(/^0$/), revisions: '0', misplaced: '0', forgotten: '0' },
    ]);
    straight = await index.digest();
    expect(await run('rebuild', '--from-genesis')).toMatchObject({ code: 0 });
    expect(await run('rollback', '--to', '200', '--yes')).toMatchObject({ code: 0 });
    expect(await run('sync')).toMatchObject({ code: 0 });
    expect(await index.digest()).toBe(straight);
  });

  it('goes on after an upgrade in the middle of that round, once the index is rebuilt', async () => {
    await open();
    expect(await run('sync', '--to', String(OLD_HEAD))).toMatchObject({ code: 0 });
    await index.pool.query(`${TO_PUBLIC} ${DOWNGRADE} ${DOWNGRADE_MORE}`);
    await index.pool.query(FORGET_MIGRATIONS);
    const forgers = await cleanForgers();
    const { rowCount } = await index.pool.query(
      'UPDATE rounds SET forging_order = $1 WHERE round = $2 AND forging_order <> $1',
      [forgers, OTHER_ROUND],
    );
    expect(rowCount).toBe(1);
    expect(await run('migrate')).toMatchObject({ code: 0 });
    const advice = expect.stringContaining('indexer rebuild');
    expect(await run('status')).toMatchObject({ stdout: advice });
    expect(await run('sync')).toMatchObject({ code: 1, stderr: advice });
    expect(await run('verify')).not.toMatchObject({ code: 0 });
    expect(await index.height()).toBe(OLD_HEAD);
    expect(await run('rebuild')).toMatchObject({ code: 0 });
    expect(await run('verify')).toMatchObject({ code: 0 });
    expect(await run('sync')).toMatchObject({ code: 0 });
    expect(await index.digest()).toBe(straight);
  });
});
