import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { LOGGER } from '@roundhouse/logging';
import { readVerificationState } from '@roundhouse/storage';
import { eventually, randomChain } from '@roundhouse/testing';
import type { Logger } from 'pino';
import { IndexerHarness, MemorySource } from '../indexer.harness.js';
import type { RunningIndexer } from '../indexer.js';

const { network, blocks } = randomChain({ seed: 6, blocks: 120 });
const forked = randomChain({ seed: 6, blocks: 120, forkFrom: 85 }).blocks;
const SETTINGS = { VERIFY_EVERY: '1', UNDO_DEPTH: '20' };

const metricsOf = async ({ operationsUrl }: RunningIndexer): Promise<Map<string, number>> => {
  const text = await (await fetch(`${operationsUrl}/metrics`)).text();
  return new Map(
    text.split('\n').map((line) => {
      const [series, value] = line.split(' ');
      return [series!, Number(value)] as const;
    }),
  );
};

describe('the leading indexer', () => {
  let harness: IndexerHarness;
  let source: MemorySource;

  beforeEach(async () => {
    harness = await IndexerHarness.create('postgres');
    source = new MemorySource(blocks.slice(0, 90), network);
  });

  afterEach(() => harness.close());

  const verifiedUpTo = async (height: number): Promise<void> => {
    const isVerified = async (): Promise<boolean> => {
      const { last } = await readVerificationState(harness.pool);
      return last?.problem === null && last.height >= height;
    };
    await eventually(`block ${height} is verified`, isVerified, 120_000);
  };

  it('verifies what is new, follows a fork meanwhile, and shows height and age as metrics', async () => {
    const indexer = await harness.start(source, SETTINGS);
    await verifiedUpTo(90);
    const before = (await readVerificationState(harness.pool)).checkpoint!;
    expect(before).toBeGreaterThan(50);
    expect(before).toBeLessThanOrEqual(70);
    source.chain = forked;
    await harness.reach(forked.at(-1)!);
    await verifiedUpTo(120);
    const metrics = await metricsOf(indexer);
    expect(metrics.get('roundhouse_verification_sound')).toBe(1);
    expect(metrics.get('roundhouse_verified_height')).toBe(120);
    expect(metrics.get('roundhouse_verify_every_seconds')).toBe(1);
    expect(metrics.get('roundhouse_verification_age_seconds')).toBeGreaterThanOrEqual(0);
    expect(metrics.get('roundhouse_checkpoint_height')).toBeGreaterThan(before);
  });

  it('applies the blocks that arrive while a step waits, and ends the step afterwards', async () => {
    const blocker = await harness.pool.connect();
    await blocker.query('BEGIN; LOCK TABLE checkpoint.proof IN EXCLUSIVE MODE');
    await harness.start(source, SETTINGS);
    await harness.reach(blocks[89]!);
    const isWaiting = async (): Promise<boolean> => {
      // Not on the blocker: within a transaction, PostgreSQL shows the sessions as they were at the first look.
      const { rowCount } = await harness.pool.query(
        `SELECT FROM pg_stat_activity
         WHERE application_name = 'roundhouse-verify' AND wait_event_type = 'Lock' AND datname = current_database()`,
      );
      return rowCount === 1;
    };
    await eventually('the step waits', isWaiting, 120_000);
    for (let height = 91; height <= 95; height += 1) {
      source.chain = blocks.slice(0, height);
      await harness.reach(blocks[height - 1]!);
    }
    expect(await isWaiting()).toBe(true);
    await blocker.query('ROLLBACK');
    blocker.release();
    await verifiedUpTo(95);
  });

  it('reports a difference in its log and metrics, stays ready and repairs nothing', async () => {
    const indexer = await harness.start(source, SETTINGS);
    await verifiedUpTo(90);
    const error = jest.spyOn(indexer.app.get<Logger>(LOGGER), 'error');
    const damage =
      'UPDATE accounts SET locked = locked + 7 WHERE address = (SELECT min(address) FROM accounts)';
    await harness.pool.query(damage);
    await eventually('the difference is logged', () => error.mock.calls.length > 0, 120_000);
    expect(error.mock.calls[0]).toEqual([
      { found: expect.stringMatching(/^accounts: 1 row differs\n {2}A\w+: locked is \d+, expected \d+$/) },
      expect.stringMatching(/^the index does not match its blocks: nothing was changed\./),
    ]);
    await eventually(
      'the metric is 0',
      async () => (await metricsOf(indexer)).get('roundhouse_verification_sound') === 0,
    );
    expect((await fetch(`${indexer.operationsUrl}/health/ready`)).status).toBe(200);
    const { rows } = await harness.pool.query<{ locked: string }>(
      'SELECT locked FROM accounts ORDER BY address LIMIT 1',
    );
    expect(Number(rows[0]!.locked)).toBeGreaterThanOrEqual(7);
  });

  it('takes what the database refuses for a result, and does not try again for ever', async () => {
    const indexer = await harness.start(source, SETTINGS);
    await verifiedUpTo(90);
    const error = jest.spyOn(indexer.app.get<Logger>(LOGGER), 'error');
    await harness.pool.query('ALTER TABLE checkpoint.accounts DROP COLUMN nonce');
    await eventually('it is reported', () => error.mock.calls.length > 0, 120_000);
    const { last } = await readVerificationState(harness.pool);
    expect(last?.problem).toMatch(
      /^The database refused a statement of the verification \(.*nonce.*, 42703\)/,
    );
  });

  it('leaves the rest to the next leader', async () => {
    const first = await harness.start(source, { ...SETTINGS, VERIFY_EVERY: '0' });
    await harness.reach(blocks[89]!);
    await harness.start(source, SETTINGS);
    expect((await readVerificationState(harness.pool)).last).toBeNull();
    await first.stop();
    await verifiedUpTo(90);
    expect((await metricsOf(await harness.start(source, SETTINGS))).get('roundhouse_verified_height')).toBe(
      90,
    );
  });
});
