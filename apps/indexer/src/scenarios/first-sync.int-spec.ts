import { readMissingIndexes } from '@roundhouse/entities';
import { eventually, randomChain } from '@roundhouse/testing';
import { IndexerHarness, MemorySource, readiness, straightDigest } from '../indexer.harness.js';

const { network, blocks } = randomChain({ seed: 19, blocks: 60 });

describe('the first sync of an index', () => {
  let harness: IndexerHarness;
  let source: MemorySource;

  beforeEach(async () => {
    harness = await IndexerHarness.create('postgres');
    source = new MemorySource(blocks.slice(0, 40), network);
  });

  afterEach(() => harness.close());

  const missing = (): Promise<readonly string[]> => readMissingIndexes(harness.pool);

  const missingBy = async (operationsUrl: string): Promise<string | undefined> => {
    const metrics = await (await fetch(`${operationsUrl}/metrics`)).text();
    return /^roundhouse_missing_indexes (\d+)$/m.exec(metrics)?.[1];
  };

  const builders = async (): Promise<number> =>
    (
      await harness.pool.query(
        `SELECT FROM pg_stat_activity WHERE application_name = 'roundhouse-indexes' AND datname = current_database()`,
      )
    ).rowCount!;

  /** Indexes the blocks without the indexes of lists, and stops. */
  const indexFarBehind = async (): Promise<void> => {
    source.boast = 2_000;
    const indexer = await harness.start(source);
    await harness.reach(blocks[39]!);
    expect(await missing()).toHaveLength(8);
    expect(await missingBy(indexer.operationsUrl)).toBe('8');
    expect((await readiness(indexer.operationsUrl))[0]).toBe(200);
    await indexer.stop();
    source.boast = 0;
  };

  it('has all indexes before its first block if it is not far behind', async () => {
    const reader = await harness.pool.connect();
    await reader.query('BEGIN; LOCK TABLE transactions IN ROW EXCLUSIVE MODE');
    await harness.start(source);
    await eventually('the index waits for the lock', async () => (await missing()).length === 6);
    expect(await harness.head()).toBeNull();
    await reader.query('COMMIT');
    reader.release();
    await harness.reach(blocks[39]!);
    expect(await missing()).toEqual([]);
  });

  it('builds them near the tip, is not ready until they are there, and goes on after a stop in the middle', async () => {
    await indexFarBehind();
    const reader = await harness.pool.connect();
    await reader.query('BEGIN; LOCK TABLE transactions IN ROW EXCLUSIVE MODE');
    const stopped = await harness.start(source);
    await eventually('those of other tables are built', async () => (await missing()).length === 6);
    await eventually('it is not ready', async () => (await readiness(stopped.operationsUrl))[0] === 503);
    expect((await readiness(stopped.operationsUrl))[1]).toContain(
      'these are missing: ix_transactions__sender, ix_transactions__recipient, ix_transactions__type, ix_accounts__attributes',
    );
    await stopped.stop();
    await eventually('the server has ended the build', async () => (await builders()) === 0);
    await reader.query('COMMIT');
    reader.release();
    expect(await missing()).toHaveLength(6);
    source.chain = blocks;
    const { operationsUrl } = await harness.start(source);
    await harness.reach(blocks.at(-1)!);
    expect(await missing()).toEqual([]);
    await eventually('it is ready', async () => (await readiness(operationsUrl))[0] === 200);
    expect(await missingBy(operationsUrl)).toBe('0');
    expect(await harness.digest()).toBe(await straightDigest(network, blocks));
  });

  it('is built to its end where a source has no more blocks than the index', async () => {
    await indexFarBehind();
    await harness.start(source);
    await eventually('all are there', async () => (await missing()).length === 0);
    expect(await harness.head()).toMatchObject({ height: 40 });
  });

  it('follows the chain although an index cannot be built, and says why', async () => {
    const reason = 'building the indexes of lists: function build_missing_index() does not exist';
    await indexFarBehind();
    await harness.pool.query('ALTER FUNCTION build_missing_index() RENAME TO taken_away');
    const { operationsUrl } = await harness.start(source);
    source.chain = blocks;
    await harness.reach(blocks.at(-1)!);
    // The leader may apply the last block before it tries to build.
    await eventually('it says why', async () => {
      const [status, text] = await readiness(operationsUrl);
      return status === 503 && text.includes(reason);
    });
  });
});
