import { jest } from '@jest/globals';
import { eventually, IN_THIS_DATABASE, randomChain } from '@roundhouse/testing';
import { IndexerHarness, MemorySource, queueBackends, straightDigest } from '../indexer.harness.js';

const { network, blocks } = randomChain({ seed: 11, blocks: 420 });

describe.each(queueBackends)('an indexer with its queues on %s', (backend) => {
  let harness: IndexerHarness;

  beforeEach(async () => {
    harness = await IndexerHarness.create(backend);
  });

  afterEach(() => harness.close());

  it('indexes up to the tip, with the tables of a straight run', async () => {
    await harness.start(new MemorySource(blocks, network));
    await harness.reach(blocks.at(-1)!);
    expect(await harness.digest()).toBe(await straightDigest(network, blocks));
  });

  it('follows block by block at the tip', async () => {
    const source = new MemorySource(blocks.slice(0, 200), network);
    await harness.start(source);
    await harness.reach(blocks[199]!);
    for (const height of [201, 202, 203]) {
      source.chain = blocks.slice(0, height);
      await harness.reach(blocks[height - 1]!);
    }
    expect(await harness.digest()).toBe(await straightDigest(network, blocks.slice(0, 203)));
  });

  it('keeps following without delay if the clock of the process goes back', async () => {
    const source = new MemorySource(blocks.slice(0, 200), network);
    await harness.start(source, { POLL_INTERVAL_MS: '500' });
    await harness.reach(blocks[199]!);
    const real = Date.now.bind(Date);
    const clock = jest.spyOn(Date, 'now').mockImplementation(() => real() - 3_600_000);
    try {
      for (const height of [201, 202, 203]) {
        source.chain = blocks.slice(0, height);
        await harness.reach(blocks[height - 1]!);
      }
    } finally {
      clock.mockRestore();
    }
  });

  it('continues where it stopped', async () => {
    const source = new MemorySource(blocks.slice(0, 150), network);
    const first = await harness.start(source);
    await harness.reach(blocks[149]!);
    await first.stop();
    source.asked.length = 0;
    source.chain = blocks;
    await harness.start(source);
    await harness.reach(blocks.at(-1)!);
    expect(source.asked.every((range) => Number.parseInt(range, 10) > 150)).toBe(true);
    expect(await harness.digest()).toBe(await straightDigest(network, blocks));
  });

  it('continues after its queues were emptied midway', async () => {
    const source = new MemorySource(blocks, network);
    let emptied = false;
    source.beforeBlocks = async (from) => {
      if (from <= 200 || emptied) return;
      emptied = true;
      await harness.emptyQueues();
    };
    await harness.start(source, { FETCH_CONCURRENCY: '2' });
    await harness.reach(blocks.at(-1)!);
    expect(emptied).toBe(true);
    expect(await harness.digest()).toBe(await straightDigest(network, blocks));
  });

  it('stages no more ahead of the head than STAGED_MAX_BYTES allows', async () => {
    const source = new MemorySource(blocks, network);
    let most = 0;
    source.beforeBlocks = async () => {
      const { rows } = await harness.pool.query<{ bytes: string }>(
        'SELECT coalesce(sum(size_bytes), 0) AS bytes FROM staged_ranges',
      );
      most = Math.max(most, Number(rows[0]!.bytes));
    };
    await harness.start(source, { STAGED_MAX_BYTES: '1', FETCH_CONCURRENCY: '1' });
    await harness.reach(blocks.at(-1)!);
    const { rows } = await harness.pool.query('SELECT FROM staged_ranges');
    expect(rows).toHaveLength(0);
    // At most one range: the next is planned when the previous one is applied.
    expect(most).toBe(0);
  });

  it('two on one database fetch side by side and make the same tables', async () => {
    const sources = [new MemorySource(blocks, network), new MemorySource(blocks, network)];
    // Neither source returns its first range before the other was asked, too.
    for (const source of sources) {
      source.beforeBlocks = async () => {
        await eventually('every source is asked for blocks', () =>
          sources.every(({ asked }) => asked.length > 0),
        );
      };
    }
    await Promise.all(sources.map((source) => harness.start(source, { FETCH_CONCURRENCY: '1' })));
    await harness.reach(blocks.at(-1)!);
    expect(sources.map(({ asked }) => asked.length > 0)).toEqual([true, true]);
    expect(await harness.digest()).toBe(await straightDigest(network, blocks));
  });

  it('two on one database have one writer, and the other takes over when that one loses its connection', async () => {
    const source = new MemorySource(blocks.slice(0, 100), network);
    await harness.start(source);
    await harness.start(source);
    await harness.reach(blocks[99]!);
    const { rows } = await harness.pool.query<{ pid: number }>(
      `SELECT pid FROM pg_locks WHERE locktype = 'advisory' AND granted AND objid = 7466502
         AND ${IN_THIS_DATABASE}`,
    );
    expect(rows).toHaveLength(1);
    await harness.pool.query('SELECT pg_terminate_backend($1)', [rows[0]!.pid]);
    source.chain = blocks;
    await harness.reach(blocks.at(-1)!);
    expect(await harness.digest()).toBe(await straightDigest(network, blocks));
  });
});
