import { TransactionType, type Block } from '@roundhouse/chain';
import { stageBlocks } from '@roundhouse/storage';
import { eventually, randomChain } from '@roundhouse/testing';
import { Metrics } from '../operations/metrics.service.js';
import { IndexerHarness, MemorySource, queueBackends, straightDigest } from '../indexer.harness.js';

const { network, blocks } = randomChain({ seed: 5, blocks: 140 });
const branch = (forkFrom: number, length = 140): readonly Block[] =>
  randomChain({ seed: 5, blocks: length, forkFrom }).blocks;

let harness: IndexerHarness;
let source: MemorySource;

const withQueuesOn = (backend: (typeof queueBackends)[number]): void => {
  beforeEach(async () => {
    harness = await IndexerHarness.create(backend);
    source = new MemorySource(blocks.slice(0, 120), network);
  });
  afterEach(() => harness.close());
};

const expectIndexOf = async (chain: readonly Block[]): Promise<void> => {
  await harness.reach(chain.at(-1)!);
  expect(await harness.digest()).toBe(await straightDigest(network, chain));
};

describe.each(queueBackends)('a fork, with queues on %s', (backend) => {
  withQueuesOn(backend);

  it('to another branch and back is followed', async () => {
    await harness.start(source);
    await harness.reach(blocks[119]!);
    source.chain = branch(101, 125);
    await harness.reach(source.chain.at(-1)!);
    source.chain = blocks.slice(0, 130);
    await expectIndexOf(blocks.slice(0, 130));
  });
});

// The queues only bring the job that follows it.
describe('a fork', () => {
  withQueuesOn('postgres');

  it.each([
    ['one block deep, to a longer branch', 120, 121],
    ['across several round ends, to a longer branch', 70, 135],
    ['of the same length', 118, 120],
    ['to a shorter branch', 100, 110],
  ])('%s is followed, and counted', async (_, forkFrom, length) => {
    const indexer = await harness.start(source);
    await harness.reach(blocks[119]!);
    source.chain = branch(forkFrom, length);
    await expectIndexOf(source.chain);
    const metrics = await indexer.app.get(Metrics).registry.metrics();
    expect(metrics).toMatch(/^roundhouse_forks_total 1$/m);
    expect(metrics).toMatch(new RegExp(`^roundhouse_blocks_undone_total ${120 - forkFrom + 1}$`, 'm'));
  });

  it('removes the registrations and votes of the abandoned branch', async () => {
    const own = (chain: readonly Block[], other: readonly Block[]): number[] => {
      const ids = new Set(other.flatMap(({ transactions }) => transactions.map(({ id }) => id)));
      return chain.flatMap(({ transactions }) =>
        transactions.filter(({ id }) => !ids.has(id)).map(({ type }) => type),
      );
    };
    const other = branch(60, 125);
    for (const types of [own(source.chain, other), own(other, source.chain)]) {
      expect(types).toEqual(
        expect.arrayContaining([TransactionType.DelegateRegistration, TransactionType.Vote]),
      );
    }
    await harness.start(source);
    await harness.reach(blocks[119]!);
    source.chain = other;
    await expectIndexOf(other);
    source.chain = blocks.slice(0, 130);
    await expectIndexOf(source.chain);
  });

  it('back and forth repeatedly is followed only after a pause, which the metrics show', async () => {
    const indexer = await harness.start(source);
    await harness.reach(blocks[119]!);
    const other = branch(101, 125);
    for (const chain of [other, blocks.slice(0, 130)]) {
      source.chain = chain;
      await harness.reach(chain.at(-1)!);
    }
    const pause = async (): Promise<number> => {
      const metrics = await indexer.app.get(Metrics).registry.metrics();
      return Number(/^roundhouse_fork_pause_seconds (.+)$/m.exec(metrics)![1]);
    };
    source.chain = other;
    await source.polls(5);
    expect(await harness.head()).toEqual({ height: 130, id: blocks[129]!.id });
    expect(await pause()).toBeGreaterThan(0);
    // A new branch is followed without a pause.
    source.chain = randomChain({ seed: 5, blocks: 140, forkFrom: 90 }).blocks;
    await harness.reach(source.chain.at(-1)!);
  });

  it('by a forger who is not a delegate of the round undoes nothing, and is a fault of the source, so another is asked', async () => {
    const indexer = await harness.start(source);
    await harness.reach(blocks[119]!);
    const right = branch(101, 125);
    source.chain = right.map((block) =>
      block.height === 101 ? { ...block, generatorPublicKey: '02'.repeat(33) } : block,
    );
    const refused = (): Promise<string | null> =>
      source.blockAt(101).then(
        () => null,
        (error: Error) => error.message,
      );
    await eventually('a block is refused', async () => (await refused()) !== null);
    expect(await refused()).toContain('not an active delegate of its round');
    await source.polls(5);
    expect(await harness.head()).toEqual({ height: 120, id: blocks[119]!.id });
    expect(await indexer.app.get(Metrics).registry.metrics()).toMatch(/^roundhouse_forks_total 0$/m);
    source.chain = right;
    expect(await source.blockAt(101)).toBe(right[100]);
    await expectIndexOf(right);
  });

  it('that happens while the index catches up leaves no block of the old branch', async () => {
    const other = branch(61);
    source.beforeBlocks = () => {
      // The ranges up to 100 come from one branch, all later ones from the other.
      if (source.asked.length > 1) source.chain = other;
    };
    await harness.start(source, { FETCH_CONCURRENCY: '1' });
    await eventually('the source switches to the other branch', () => source.chain === other);
    await expectIndexOf(other);
  });

  it('is not assumed if the source is only behind', async () => {
    const indexer = await harness.start(source);
    await harness.reach(blocks[119]!);
    source.chain = blocks.slice(0, 90);
    await eventually('the index knows that the source is at 90', async () => {
      const { rows } = await harness.pool.query<{ height: number }>('SELECT height FROM source_status');
      return rows[0]?.height === 90;
    });
    source.chain = blocks.slice(0, 121);
    await harness.reach(blocks[120]!);
    expect(await indexer.app.get(Metrics).registry.metrics()).toMatch(/^roundhouse_forks_total 0$/m);
  });

  it('is followed even if the source has claimed a height for which it has no blocks', async () => {
    source.chain = blocks.slice(0, 60);
    source.boast = 1_000_000;
    const { halted } = await harness.start(source);
    await harness.reach(blocks[59]!);
    source.chain = blocks.slice(0, 120);
    await harness.reach(blocks[119]!);
    source.boast = 0;
    source.chain = branch(117, 125);
    const halts = halted.then((reason) => Promise.reject(reason));
    await Promise.race([expectIndexOf(source.chain), halts]);
  });

  it('that is deeper than the before-images halts the indexer, the message says what to do, and that helps', async () => {
    const indexer = await harness.start(source, { UNDO_DEPTH: '10' });
    await harness.reach(blocks[119]!);
    source.chain = branch(70, 125);
    const reason = await indexer.halted;
    expect(reason.message).toContain('To go back to height 69, 51 blocks would have to be undone');
    expect(reason.message).toContain('before-images are kept for 10, down to height 110');
    expect(reason.message).toMatch(/run "indexer rebuild" with UNDO_DEPTH=51 or more/);
    expect(await harness.head()).toEqual({ height: 120, id: blocks[119]!.id });
    await indexer.stop();
    await harness.rebuild(51);
    const again = await harness.start(source, { UNDO_DEPTH: '51' });
    const halts = again.halted.then((why) => Promise.reject(why));
    await Promise.race([expectIndexOf(source.chain), halts]);
  });

  it('down to the genesis block is another chain and halts the indexer', async () => {
    const indexer = await harness.start(source);
    await harness.reach(blocks[119]!);
    source.chain = randomChain({ seed: 6, blocks: 125 }).blocks;
    expect((await indexer.halted).message).toMatch(/no block in common/);
  });

  it('down to the genesis block is the fault of its source if another source has our chain', async () => {
    const { halted } = await harness.start(source);
    await harness.reach(blocks[119]!);
    const first = source.blockAt.bind(source);
    source.blockAt = (height) =>
      first(height).catch(() => {
        // The next source.
        source.chain = blocks.slice(0, 125);
        return first(height);
      });
    source.chain = randomChain({ seed: 6, blocks: 125 }).blocks;
    const halts = halted.then((reason) => Promise.reject(reason));
    await Promise.race([expectIndexOf(blocks.slice(0, 125)), halts]);
  });

  it('leaves staged blocks of its branch when it is over; they are dropped and not applied', async () => {
    // Its first block links to a block 120 that is not ours.
    const stale = branch(119, 130).slice(120);
    await stageBlocks(harness.pool, stale);
    const indexer = await harness.start(source);
    await harness.reach(blocks[119]!);
    source.chain = blocks.slice(0, 125);
    await expectIndexOf(blocks.slice(0, 125));
    expect(await indexer.app.get(Metrics).registry.metrics()).toMatch(
      /^roundhouse_blocks_applied_total 125$/m,
    );
  });
});
