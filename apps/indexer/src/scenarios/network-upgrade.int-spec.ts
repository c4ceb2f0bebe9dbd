import type { Block, Network, Transaction } from '@roundhouse/chain';
import { JobQueues, QueueName } from '@roundhouse/jobs';
import { NodeProtocolError } from '@roundhouse/source';
import { readNetwork, readRefusedBlock } from '@roundhouse/storage';
import { eventually, randomChain } from '@roundhouse/testing';
import { pino } from 'pino';
import { IndexerHarness, MemorySource, straightDigest } from '../indexer.harness.js';

/** Has milestones at 12, 31, 41 (active delegates) and 60 (reward). With this seed, the old rules refuse blocks 31 and 41. */
const { network, blocks } = randomChain({ seed: 32, blocks: 130 });

const before = (height: number): Network => ({
  ...network,
  milestones: network.milestones.filter((milestone) => milestone.height < height),
});

describe('an index whose node is upgraded', () => {
  let harness: IndexerHarness;
  let source: MemorySource;

  beforeEach(async () => {
    harness = await IndexerHarness.create('postgres');
    source = new MemorySource(blocks.slice(0, 35), before(41));
  });

  afterEach(() => harness.close());

  /** Like a checked source, reports all milestones before it returns the next ranges. */
  const upgrade = (): void => {
    const { acceptNetwork } = source.events;
    source.beforeBlocks = () => acceptNetwork!(network);
    source.chain = blocks;
  };

  it('continues without a restart, with the tables of an index that knew all milestones from the beginning', async () => {
    await harness.start(source);
    await harness.reach(blocks[34]!);
    upgrade();
    await harness.reach(blocks.at(-1)!);
    expect(await harness.digest()).toBe(await straightDigest(network, blocks));
    // The apis read it from here.
    expect((await readNetwork(harness.pool))?.network.milestones).toHaveLength(network.milestones.length);
  });

  it('continues in the writing process even if another process was told of the milestones', async () => {
    await harness.start(source);
    await harness.reach(blocks[34]!);
    const another = new MemorySource(source.chain, before(41));
    await harness.start(another);
    await another.events.acceptNetwork!(network);
    source.chain = blocks;
    another.chain = blocks;
    await harness.reach(blocks.at(-1)!);
    expect(await harness.digest()).toBe(await straightDigest(network, blocks));
  });

  it.each([
    ['another block time', 31],
    ['another number of active delegates', 41],
  ])('continues with %s although the first block of the new rules was refused', async (_, milestone) => {
    source.ownNetwork = before(milestone);
    source.chain = blocks;
    await harness.start(source);
    await eventually(
      'the block has been refused 4 times',
      async () => ((await readRefusedBlock(harness.pool))?.refusals ?? 0) >= 4,
    );
    expect((await readRefusedBlock(harness.pool))?.height).toBe(milestone);
    // The next pause is longer than the index is waited for.
    await harness.pool.query('UPDATE refused_blocks SET refusals = 9');
    await source.events.acceptNetwork!(network);
    await harness.reach(blocks.at(-1)!);
    expect(await harness.digest()).toBe(await straightDigest(network, blocks));
  });

  it('applies the last block of a round again if the number of active delegates changes with the next round', async () => {
    source.chain = blocks.slice(0, 40);
    const running = await harness.start(source);
    await harness.reach(blocks[39]!);
    await running.stop();
    source.ownNetwork = network;
    source.chain = blocks;
    await harness.start(source);
    await harness.reach(blocks.at(-1)!);
    expect(await harness.digest()).toBe(await straightDigest(network, blocks));
  });

  it('says at its start which milestones of another chain change nothing', async () => {
    source.ownNetwork = { ...network, milestones: [...network.milestones, { height: 90, coeus: true }] };
    source.chain = blocks;
    const lines: string[] = [];
    await harness.start(source, {}, pino({ level: 'info' }, { write: (line) => void lines.push(line) }));
    expect(lines.join('')).toContain('coeus from height 90');
    await harness.reach(blocks.at(-1)!);
    expect(await harness.digest()).toBe(await straightDigest(network, blocks));
  });

  it('refuses another form of addresses', async () => {
    await harness.start(source);
    await harness.reach(blocks[34]!);
    await expect(source.events.acceptNetwork!({ ...network, pubKeyHash: 99 })).rejects.toThrow(
      /it has other rules from height 1 on .* run "indexer reset --yes", and start them again/,
    );
  });

  it('refuses milestones that it has passed, while running and at a start, and says how to go back', async () => {
    source.ownNetwork = before(60);
    source.chain = blocks.slice(0, 70);
    const running = await harness.start(source);
    await harness.reach(blocks[69]!);
    await expect(source.events.acceptNetwork!(network)).rejects.toThrow(
      /it has other rules from height 60 on .* at height 70 already.*"indexer rollback --to 59 --yes"/,
    );
    await running.stop();
    source.ownNetwork = network;
    await expect(harness.start(source)).rejects.toThrow(
      /cannot be used: it has other rules from height 60 on/,
    );
    expect((await readNetwork(harness.pool))?.network.milestones).toHaveLength(before(60).milestones.length);
  });

  describe('of which customTypes changes', () => {
    const isUnknown = ({ typeGroup }: Transaction): boolean => typeGroup === 1001;
    const made = randomChain({ seed: 11, blocks: 90 });
    const unknown = made.blocks.filter(({ transactions }) => transactions.some(isUnknown));
    /** The amounts are so small that they change no order of forgers. */
    const changed = made.blocks.map((block): Block => {
      const transactions = block.transactions.map((each) =>
        isUnknown(each) ? { ...each, amount: 1n } : each,
      );
      return { ...block, transactions };
    });
    const exceptions = { ...made.network.exceptions, blocks: unknown.map(({ id }) => id) };
    const fees: Network = { ...made.network, exceptions };
    const transfers: Network = { ...fees, customTypes: [{ typeGroup: 1001, type: 7, moves: 'transfer' }] };

    it('does not start if blocks of the index moved other amounts, until it is rebuilt by them', async () => {
      source.ownNetwork = fees;
      source.chain = changed.slice(0, 80);
      await harness.start(source);
      await harness.reach(changed[79]!);
      const { height } = unknown[0]!;
      const says = new RegExp(
        `by its customTypes the amounts of type 1001/7 move, .* from height ${height} on\\. .* "indexer rebuild" with NETWORK`,
      );
      await expect(source.events.acceptNetwork!(transfers)).rejects.toThrow(says);
      await harness.stop();
      source.ownNetwork = transfers;
      await expect(harness.start(source)).rejects.toThrow(says);
      expect((await readNetwork(harness.pool))?.network.customTypes).toBeUndefined();
      await harness.rebuild(10_000, transfers);
      source.chain = changed;
      await harness.start(source);
      await harness.reach(changed.at(-1)!);
      expect(await harness.digest()).toBe(await straightDigest(transfers, changed));
      await harness.stop();
      // As if NETWORK was not set any more.
      source.ownNetwork = fees;
      await expect(harness.start(source)).rejects.toThrow(/the amounts of type 1001\/7 do not move, /);
    });

    it('goes on if the index has no such transaction yet', async () => {
      source.ownNetwork = fees;
      source.chain = changed.slice(0, unknown[0]!.height - 1);
      await harness.start(source);
      await harness.reach(source.chain.at(-1)!);
      await harness.stop();
      source.ownNetwork = transfers;
      source.chain = changed;
      await harness.start(source);
      await harness.reach(changed.at(-1)!);
      expect(await harness.digest()).toBe(await straightDigest(transfers, changed));
    });
  });

  it('continues at once after a restart, however often blocks were refused before', async () => {
    let refusals = 0;
    source.beforeBlocks = (from) => {
      if (from <= 35) return;
      refusals += 1;
      throw new NodeProtocolError('memory', 'the reward is not right', { height: from });
    };
    const running = await harness.start(source);
    await harness.reach(blocks[34]!);
    source.chain = blocks;
    await eventually('the block has been refused 3 times', () => refusals >= 3);
    const fetches = running.app.get(JobQueues).queues.find(({ name }) => name === QueueName.Fetch)!;
    await eventually('its job has failed', async () => (await fetches.getFailedCount()) === 1);
    // The next pause is longer than the index is waited for.
    for (const job of await fetches.getFailed()) await job.updateData({ ...job.data, refusals: 8 });
    await harness.pool.query('UPDATE refused_blocks SET refusals = 9');
    await running.stop();
    source.beforeBlocks = () => undefined;
    source.ownNetwork = network;
    await harness.start(source);
    await harness.reach(blocks.at(-1)!);
  });
});
