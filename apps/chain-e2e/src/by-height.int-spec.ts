import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { MilestoneSchedule, roundOf, slotOf, type Network } from '@roundhouse/chain';
import { createBlockSource, type BlockSource } from '@roundhouse/source';
import { forgerKeys } from '@roundhouse/storage';
import { readRecording, type Recording } from '@roundhouse/testing';
import { archiveOf, networkOf, RECORDED_HEAD } from './recorded-chains.js';
import { RecordedIndex } from './recorded-index.js';
import { thirdPartyClaim } from './third-party-claim.js';

interface DelegateRow {
  public_key: string;
  username: string;
  weight: string;
  produced_blocks: number;
  forged_fees: string;
  forged_rewards: string;
  is_resigned: boolean;
}

/** One index that moves from height to height, with one batch for each. */
class HeightByHeight {
  private constructor(
    readonly network: Network,
    private readonly source: BlockSource,
    readonly index: RecordedIndex,
  ) {}

  static async open(recording: Recording): Promise<HeightByHeight> {
    const network = await networkOf(recording);
    const source = await createBlockSource({ urls: archiveOf(recording), network });
    return new HeightByHeight(
      network,
      source,
      await RecordedIndex.create(source, network, { batchBlocks: 1 }),
    );
  }

  async delegates(): Promise<DelegateRow[]> {
    const { rows } = await this.index.client.query<DelegateRow>(
      `SELECT encode(public_key, 'hex') AS public_key, username, weight, produced_blocks, forged_fees, forged_rewards, is_resigned
       FROM delegates ORDER BY delegates.public_key`,
    );
    return rows;
  }

  async supply(): Promise<string> {
    return (await this.index.client.query<{ supply: string }>('SELECT supply FROM head')).rows[0]!.supply;
  }

  async openLocks(): Promise<string[]> {
    const { rows } = await this.index.client.query<{ id: string }>(
      `SELECT encode(transaction_id, 'hex') AS id FROM locks ORDER BY transaction_id`,
    );
    return rows.map(({ id }) => id);
  }

  /** The forgers of the slots after the head, from the round of the next block. */
  async nextForgers(): Promise<string[]> {
    const { rows } = await this.index.client.query<{ order: string[]; timestamp: number; height: number }>(
      `SELECT ${forgerKeys('forging_order')} AS order, "timestamp", height FROM rounds, head
       WHERE first_height <= height + 1 ORDER BY first_height DESC LIMIT 1`,
    );
    const { order, timestamp, height } = rows[0]!;
    const milestones = new MilestoneSchedule(this.network.milestones);
    const slot = slotOf(milestones, timestamp, height, () => {
      throw new Error('The block time of this chain never changes.');
    });
    return order.map((_, index) => order[(slot + 1 + index) % order.length]!);
  }

  async close(): Promise<void> {
    await this.index.close();
    await this.source.close();
  }
}

interface DelegateAt39 {
  username: string;
  publicKey: string;
  votes: string;
  isResigned: boolean;
  'blocks.produced': number;
  forged: { fees: string; rewards: string };
}

interface NodeAt39 {
  height: number;
  id: string;
  supply: string;
  delegates: DelegateAt39[];
  locks: string[];
}

describe('a Core 3.9 chain, at every height', () => {
  let chain: HeightByHeight;
  beforeAll(async () => {
    chain = await HeightByHeight.open('core-3.9');
  });
  afterAll(() => chain.close());

  it('has the node’s weights, forged totals, produced blocks, resignations, supply and open locks', async () => {
    const recorded = readRecording<NodeAt39>('core-3.9', 'node-by-height.ndjson.gz');
    expect(recorded).toHaveLength(RECORDED_HEAD);
    for (const node of recorded) {
      await chain.index.indexTo(node.height);
      const expected = node.delegates
        .map((delegate) => ({
          public_key: delegate.publicKey,
          username: delegate.username,
          weight: String(BigInt(delegate.votes) - thirdPartyClaim(delegate.username, node.height)),
          produced_blocks: delegate['blocks.produced'],
          forged_fees: delegate.forged.fees,
          forged_rewards: delegate.forged.rewards,
          is_resigned: delegate.isResigned,
        }))
        .sort((a, b) => (a.public_key < b.public_key ? -1 : 1));
      const actual = (await chain.delegates()).map(
        ({ public_key, username, weight, produced_blocks, forged_fees, forged_rewards, is_resigned }) => ({
          ...{ public_key, username, weight, produced_blocks, forged_fees, forged_rewards, is_resigned },
        }),
      );
      expect({ height: node.height, delegates: actual }).toEqual({
        height: node.height,
        delegates: expected,
      });
      expect({ height: node.height, supply: await chain.supply(), locks: await chain.openLocks() }).toEqual({
        height: node.height,
        supply: node.supply,
        locks: [...node.locks].sort(),
      });
    }
    expect(chain.index.violations).toEqual(recorded.map(() => ({})));
  });
});

interface NodeAt24 {
  height: number;
  delegates: { username: string; publicKey: string; vote: string; producedblocks: number }[];
  nextForgers: { delegates: string[] };
  supply: { supply: bigint | number };
  status: { supply: bigint | number; height: number };
}

describe('a Core 2.4 chain, at the recorded heights', () => {
  let chain: HeightByHeight;
  beforeAll(async () => {
    chain = await HeightByHeight.open('core-2.4');
  });
  afterAll(() => chain.close());

  it('has the node’s weights, produced blocks, supply and next forgers', async () => {
    const recorded = readRecording<NodeAt24>('core-2.4', 'node-v1-by-height.ndjson.gz');
    expect(recorded.length).toBeGreaterThan(100);
    const roundEnds: number[] = [];
    for (const node of recorded) {
      const { height } = node;
      await chain.index.indexTo(height);
      const expected = node.delegates
        .map(({ publicKey, username, vote, producedblocks }) => ({
          publicKey,
          username,
          vote,
          producedblocks,
        }))
        .sort((a, b) => (a.publicKey < b.publicKey ? -1 : 1));
      const actual = (await chain.delegates()).map((row) => ({
        publicKey: row.public_key,
        username: row.username,
        vote: row.weight,
        producedblocks: row.produced_blocks,
      }));
      expect({ height, delegates: actual }).toEqual({ height, delegates: expected });
      expect(await chain.supply()).toBe(String(node.supply.supply));
      // docs/differences.md, "Next forgers at a round's last block": the node still shows the round that ended.
      const isRoundEnd =
        roundOf(new MilestoneSchedule(chain.network.milestones), height).lastHeight === height;
      if (isRoundEnd) roundEnds.push(height);
      const next = { height, forgers: await chain.nextForgers() };
      if (isRoundEnd) expect(next.forgers).not.toEqual(node.nextForgers.delegates);
      else expect(next).toEqual({ height, forgers: node.nextForgers.delegates });
    }
    expect(roundEnds).toEqual([204, 255, 306]);
  });
});
