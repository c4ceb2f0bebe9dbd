import { describe, expect, it } from '@jest/globals';
import { applyBlock, forgerAt, Ledger } from '@roundhouse/chain';
import { createBlockSource } from '@roundhouse/source';
import { readRecording } from '@roundhouse/testing';
import { archiveOf, headOf, networkOf } from './recorded-chains.js';

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

// A node that syncs from the first block never restarts, so no list but the first of each round is needed.
describe.each(['core-2.4', 'core-2.4-full', 'core-3.9', 'core-3.9-full'] as const)(
  'the forgers of a %s chain by the weights of a running node',
  (recording) => {
    it('are the generators of all blocks, and the members and weights of each round are those of the node', async () => {
      const network = await networkOf(recording);
      const source = await createBlockSource({ urls: archiveOf(recording), network });
      const ledger = Ledger.empty(network);
      const members: Members = new Map();
      for (const block of await source.blocks(1, headOf(recording))) {
        if (block.height > 1)
          expect(forgerAt(ledger.round!, ledger.slotOf(block))).toBe(block.generatorPublicKey);
        applyBlock(ledger, block);
        if (ledger.round!.firstHeight === block.height + 1 || block.height === 1)
          members.set(ledger.round!.round, membersIn(ledger));
      }
      await source.close();
      expect(ledger.head!.height).toBe(headOf(recording));
      const recorded: Members = new Map();
      for (const { round, public_key, balance } of readRecording<RoundRow & Record<string, unknown>>(
        recording,
        'core-database-rounds.ndjson.gz',
      ))
        recorded.set(round, [...(recorded.get(round) ?? []), [public_key, BigInt(balance)]]);
      for (const list of recorded.values()) list.sort(byRank);
      expect(members).toEqual(recorded);
    });
  },
);
