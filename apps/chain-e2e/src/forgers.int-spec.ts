import { describe, expect, it } from '@jest/globals';
import { applyBlock, forgerAt, Ledger, MilestoneSchedule, roundOf } from '@roundhouse/chain';
import { createBlockSource } from '@roundhouse/source';
import { readRecording, type RecordedChain } from '@roundhouse/testing';
import { archiveOf, headOf, networkOf } from './recorded-chains.js';

type Row = Record<string, unknown>;

interface RoundRow {
  readonly public_key: string;
  readonly balance: bigint | number;
  readonly round: number;
}

/** Round → its members in order, each with the weight by which the node chose it. */
type Members = Map<number, [publicKey: string, weight: bigint][]>;

const byRank = ([key, weight]: [string, bigint], [otherKey, otherWeight]: [string, bigint]): number =>
  weight === otherWeight ? (key < otherKey ? -1 : 1) : weight > otherWeight ? -1 : 1;

const membersIn = (ledger: Ledger): [string, bigint][] =>
  ledger
    .round!.forgingOrder.map((key): [string, bigint] => [
      key,
      ledger.forgingWeight(ledger.delegates.get(key)!),
    ])
    .sort(byRank);

/** Applies the whole chain in memory; calls `look` after each block. */
const follow = async (recording: RecordedChain, look: (ledger: Ledger) => void): Promise<void> => {
  const network = await networkOf(recording);
  const source = await createBlockSource({ urls: archiveOf(recording), network });
  const ledger = Ledger.empty(network);
  for (const block of await source.blocks(1, headOf(recording))) {
    if (block.height > 1)
      expect(forgerAt(ledger.round!, ledger.slotOf(block))).toBe(block.generatorPublicKey);
    applyBlock(ledger, block);
    look(ledger);
  }
  await source.close();
  expect(ledger.head!.height).toBe(headOf(recording));
};

// A node that syncs from the first block never restarts, so no list but the first of each round is needed.
describe.each(['core-2.4', 'core-2.4-full', 'core-3.9', 'core-3.9-full'] as const)(
  'the forgers of a %s chain by the weights of a running node',
  (recording) => {
    it('are the generators of all blocks, and the members and weights of each round are those of the node', async () => {
      const members: Members = new Map();
      await follow(recording, (ledger) => {
        const { height } = ledger.head!;
        if (ledger.round!.firstHeight === height + 1 || height === 1)
          members.set(ledger.round!.round, membersIn(ledger));
      });
      const recorded: Members = new Map();
      for (const { round, public_key, balance } of readRecording<RoundRow & Row>(
        recording,
        'core-database-rounds.ndjson.gz',
      ))
        recorded.set(round, [...(recorded.get(round) ?? []), [public_key, BigInt(balance)]]);
      for (const list of recorded.values()) list.sort(byRank);
      expect(members).toEqual(recorded);
    });
  },
);

// What else these recordings have of each height, history-recorded.int-spec.ts compares.
describe('at each recorded height', () => {
  it('a Core 3.9 chain has the open locks of its node', async () => {
    const recorded = readRecording<Row & { height: number; locks: string[] }>(
      'core-3.9',
      'node-by-height.ndjson.gz',
    );
    const locks = new Map(recorded.map((node) => [node.height, node.locks.toSorted()]));
    expect(locks.size).toBe(headOf('core-3.9'));
    await follow('core-3.9', (ledger) => {
      const { height } = ledger.head!;
      expect({ height, locks: [...ledger.locks.keys()].sort() }).toEqual({
        height,
        locks: locks.get(height),
      });
    });
  });

  it('a Core 2.4 chain has the next forgers of its node', async () => {
    const recorded = readRecording<Row & { height: number; nextForgers: { delegates: string[] } }>(
      'core-2.4',
      'node-v1-by-height.ndjson.gz',
    );
    expect(recorded.length).toBeGreaterThan(100);
    const expected = new Map(recorded.map(({ height, nextForgers }) => [height, nextForgers.delegates]));
    const roundEnds: number[] = [];
    await follow('core-2.4', (ledger) => {
      const { height } = ledger.head!;
      const ofNode = expected.get(height);
      if (!ofNode) return;
      const slot = ledger.slotOf(ledger.head!);
      const forgers = ofNode.map((_, index) => forgerAt(ledger.round!, slot + 1 + index));
      // docs/differences.md, "Next forgers at a round's last block": the node still shows the round that ended.
      if (roundOf(new MilestoneSchedule(ledger.network.milestones), height).lastHeight === height) {
        roundEnds.push(height);
        expect(forgers).not.toEqual(ofNode);
      } else expect({ height, forgers }).toEqual({ height, forgers: ofNode });
    });
    expect(roundEnds).toEqual([204, 255, 306]);
  });
});
