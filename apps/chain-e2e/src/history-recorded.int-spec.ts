import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { readRecording, type RecordedChain } from '@roundhouse/testing';
import { pastDelegates, pastSupply } from './history/past-answers.js';
import { headOf, RECORDED_HEAD } from './recorded-chains.js';
import { ServedIndex } from './served-index.js';
import { placesByThirdPartyClaim, thirdPartyClaim } from './third-party-claim.js';

/** A delegate at a height: what the node's recording has of it. Amounts as text. */
type Values = Readonly<Record<string, unknown>>;

const byKey = (delegates: readonly Values[]): ReadonlyMap<unknown, Values> =>
  new Map(delegates.map((delegate) => [delegate['publicKey'], delegate]));

/** How many delegates forge in a round. */
const ACTIVE = 51;

/** Heights that are asked about at once. */
const AT_ONCE = 8;

/** Compares what history answers at each height, to the field names that the node's delegate has. */
const expectAnswers = async (
  served: ServedIndex,
  expected: readonly {
    readonly height: number;
    readonly supply: string;
    readonly delegates: readonly Values[];
  }[],
): Promise<void> => {
  const left = [...expected];
  const askOn = async (): Promise<void> => {
    for (let node = left.shift(); node !== undefined; node = left.shift()) {
      const { height } = node;
      const [supply, delegates] = await Promise.all([
        pastSupply(served, height),
        pastDelegates(served, height),
      ]);
      const names = Object.keys(node.delegates[0]!);
      const actual = delegates.map((delegate) => {
        const { weight, fees, rewards, forged } = delegate;
        const amounts = Object.entries({ weight, fees, rewards, forged });
        const texts = Object.fromEntries(amounts.map(([name, amount]) => [name, String(amount)]));
        const values: Values = { ...delegate, ...texts };
        return Object.fromEntries(names.map((name) => [name, values[name]]));
      });
      expect({ height, supply: String(supply), delegates: byKey(actual) }).toEqual({
        height,
        supply: node.supply,
        delegates: byKey(node.delegates),
      });
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, askOn));
};

const withHistory = (recording: RecordedChain): Promise<ServedIndex> =>
  ServedIndex.open(recording, undefined, { keepsHistory: true });

interface DelegateAt39 {
  readonly username: string;
  readonly publicKey: string;
  readonly votes: string;
  readonly rank?: number;
  readonly isResigned: boolean;
  readonly 'blocks.produced': number;
  readonly forged: { readonly fees: string; readonly rewards: string; readonly total: string };
}

interface NodeAt39 {
  readonly height: number;
  readonly supply: string;
  readonly delegates: readonly DelegateAt39[];
}

/** A delegate has no rank until its first round end, nor from the round end after its resignation. */
const rankOf = ({ username, rank }: DelegateAt39, height: number): number | null =>
  rank === undefined ? null : rank - placesByThirdPartyClaim(username, height);

describe('the history of a Core 3.9 chain', () => {
  let served: ServedIndex;
  beforeAll(async () => {
    served = await withHistory('core-3.9');
  });
  afterAll(() => served.close());

  it('has at every height the weights, ranks, blocks, forged totals and supply that the node had then', async () => {
    const recorded = readRecording<NodeAt39>('core-3.9', 'node-by-height.ndjson.gz');
    expect(recorded).toHaveLength(RECORDED_HEAD);
    await expectAnswers(
      served,
      recorded.map(({ height, supply, delegates }) => ({
        height,
        supply,
        delegates: delegates.map((delegate) => ({
          username: delegate.username,
          publicKey: delegate.publicKey,
          rank: rankOf(delegate, height),
          isResigned: delegate.isResigned,
          weight: String(BigInt(delegate.votes) - thirdPartyClaim(delegate.username, height)),
          producedblocks: delegate['blocks.produced'],
          fees: delegate.forged.fees,
          rewards: delegate.forged.rewards,
          forged: delegate.forged.total,
        })),
      })),
    );
  });
});

interface RoundRow {
  readonly public_key: string;
  readonly balance: bigint | number;
  readonly round: number;
}

interface Rounds {
  readonly rounds: readonly {
    readonly round: number;
    readonly rank: number | null;
    readonly forgingWeight: bigint | number;
    readonly isActive: boolean;
    readonly forgers: string;
  }[];
}

describe('the history of a Core 3.9 chain on which a claim of a third party changed the forgers of a round', () => {
  let served: ServedIndex;
  beforeAll(async () => {
    served = await withHistory('core-3.9-full');
  });
  afterAll(() => served.close());

  it('says at each round end whom the node chose for the next round, and by which weights', async () => {
    const expected = new Map<string, bigint>();
    for (const { round, public_key, balance } of readRecording<RoundRow & Values>(
      'core-3.9-full',
      'core-database-rounds.ndjson.gz',
    ))
      if (round > 1) expected.set(`${round} ${public_key}`, BigInt(balance));
    const actual = new Map<string, bigint>();
    const forgers = new Set<string>();
    let otherwise = 0;
    for (const { publicKey } of await pastDelegates(served, headOf('core-3.9-full'))) {
      const { rounds } = await served.found<Rounds>(`/api/history/delegates/${publicKey}/rounds?limit=1000`);
      for (const { round, rank, forgingWeight, isActive, forgers: by } of rounds) {
        forgers.add(by);
        if (isActive) actual.set(`${round + 1} ${publicKey}`, BigInt(forgingWeight));
        if (isActive !== (rank !== null && rank <= ACTIVE)) otherwise += 1;
      }
    }
    expect(actual).toEqual(expected);
    expect([...forgers].sort()).toEqual(['clean', 'running']);
    // One delegate forged in the place of another.
    expect(otherwise).toBe(2);
  });
});

interface NodeAt24 {
  readonly height: number;
  readonly delegates: readonly {
    readonly username: string;
    readonly publicKey: string;
    readonly vote: string;
    readonly producedblocks: number;
    readonly rate?: number;
  }[];
  readonly supply: { readonly supply: bigint | number };
}

describe('the history of a Core 2.4 chain', () => {
  let served: ServedIndex;
  beforeAll(async () => {
    served = await withHistory('core-2.4');
  });
  afterAll(() => served.close());

  it('has at every recorded height the weights, ranks, blocks and supply that the node had then', async () => {
    const recorded = readRecording<NodeAt24>('core-2.4', 'node-v1-by-height.ndjson.gz');
    expect(recorded.length).toBeGreaterThan(100);
    await expectAnswers(
      served,
      recorded.map(({ height, supply, delegates }) => ({
        height,
        supply: String(supply.supply),
        delegates: delegates.map(({ username, publicKey, vote, producedblocks, rate }) => ({
          username,
          publicKey,
          weight: vote,
          producedblocks,
          rank: rate ?? null,
        })),
      })),
    );
  });
});
