import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { admitForger, ALL_WEIGHTS_EVERY, applyBlock, Ledger, type Block } from '@roundhouse/chain';
import { HistoryDelegatesReader } from '@roundhouse/readers';
import { randomChain } from '@roundhouse/testing';
import pg from 'pg';
import { EXACT_TYPES } from '@roundhouse/entities/sql';
import { MemoryChain } from './history/memory-chain.js';
import { RecordedIndex } from './recorded-index.js';

const BLOCKS = 2 * ALL_WEIGHTS_EVERY + 10;
/** Around the heights with all weights, and far from them. */
const HEIGHTS = [1, 2, 250, 740, BLOCKS].concat(
  [1, 2].flatMap((times) => [-2, -1, 0, 1, 2].map((away) => times * ALL_WEIGHTS_EVERY + away)),
);

const { network, blocks } = randomChain({ seed: 38, blocks: BLOCKS });

/** At the end of a round. */
interface RoundEnd {
  readonly height: number;
  readonly weights: ReadonlyMap<string, bigint>;
}

/** Of each delegate, by public key. */
const weightsIn = ({ delegates }: Ledger): Map<string, bigint> =>
  new Map([...delegates.values()].map(({ publicKey, weight }) => [publicKey, weight]));

describe('weights at heights around those with all of them', () => {
  const ledger = Ledger.empty(network);
  const expected = new Map<number, Map<string, bigint>>();
  const roundEnds: RoundEnd[] = [];
  /** The last heights at which the weights of delegates changed. */
  const changedAt = new Map<string, number>();
  let index: RecordedIndex;
  let pool: pg.Pool;

  beforeAll(async () => {
    let before = new Map<string, bigint>();
    for (const block of blocks) {
      const round = ledger.round?.round;
      admitForger(ledger, block);
      applyBlock(ledger, block);
      const weights = weightsIn(ledger);
      for (const [key, weight] of weights) if (before.get(key) !== weight) changedAt.set(key, block.height);
      if (HEIGHTS.includes(block.height)) expected.set(block.height, weights);
      if (round !== undefined && ledger.round!.round !== round)
        roundEnds.unshift({ height: block.height, weights });
      before = weights;
    }
    index = await RecordedIndex.create(new MemoryChain(blocks), network, {
      keepsHistory: true,
      checksInvariants: false,
    });
    await index.indexTo(BLOCKS);
    pool = new pg.Pool({ connectionString: index.url, max: 1, types: EXACT_TYPES });
  });

  afterAll(async () => {
    await pool.end();
    await index.close();
  });

  const readWeights = async (head: Block, height: number): Promise<Map<string, bigint>> => {
    const { found } = await new HistoryDelegatesReader(pool).listDelegates(head, height, 1000);
    const rows = JSON.parse(
      `[${(found as string).replaceAll(/"weight":(-?\d+)/g, '"weight":"$1"')}]`,
    ) as readonly {
      readonly publicKey: string;
      readonly weight: string;
    }[];
    return new Map(rows.map(({ publicKey, weight }) => [publicKey, BigInt(weight)]));
  };

  const sorted = (weights: ReadonlyMap<string, bigint>) => [...weights].sort();

  it('change in most blocks, or have not changed since before the last full row but one', () => {
    const heights = [...changedAt.values()];
    expect(Math.max(...heights)).toBe(BLOCKS);
    expect(Math.min(...heights)).toBeLessThan(ALL_WEIGHTS_EVERY);
    const registered = [...ledger.delegates.values()].map(({ registeredHeight }) => registeredHeight);
    expect(registered.some((height) => height > ALL_WEIGHTS_EVERY)).toBe(true);
  });

  it('are those of a ledger in lists of delegates', async () => {
    for (const height of HEIGHTS)
      expect({ height, weights: sorted(await readWeights(blocks.at(-1)!, height)) }).toEqual({
        height,
        weights: sorted(expected.get(height)!),
      });
  });

  it('are those of a ledger at the ends of rounds', async () => {
    const reader = new HistoryDelegatesReader(pool);
    for (const { publicKey, registeredHeight } of ledger.delegates.values()) {
      const rounds = await reader.listRounds(blocks.at(-1)!, { publicKey }, 1000);
      const ends = roundEnds.filter(({ height }) => height >= registeredHeight);
      expect(rounds!.map(({ height, weight }) => ({ height, weight }))).toEqual(
        ends.map(({ height, weights }) => ({ height, weight: weights.get(publicKey) })),
      );
    }
  });
});
