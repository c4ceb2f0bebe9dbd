import { SeededRandom } from '@roundhouse/testing';
import { Payouts, WHOLE_SHARE, type ForgedBlock, type PayoutOptions, type PayoutTotals } from './payouts.js';
import type { Payout } from './round-shares.js';

/** The account has this weight after the block at `height`. */
type Weight = readonly [height: number, address: string, weight: bigint];

/** From texts: the height, the address and the weight. */
const weightsOf = (...texts: string[]): Weight[] =>
  texts.map((text) => {
    const [height, address, weight] = text.split(' ') as [string, string, string];
    return [Number(height), address, BigInt(weight)];
  });

interface Case {
  readonly blocks: readonly ForgedBlock[];
  readonly weights: readonly Weight[];
  readonly options: PayoutOptions;
}

interface Result {
  readonly payouts: Payout[];
  readonly totals: PayoutTotals;
}

const ALL: PayoutOptions = { share: WHOLE_SHARE, minimum: 0n, cap: null, exclude: new Set() };

const resultOf = ({ blocks, weights, options }: Case): Result => {
  const payouts = new Payouts(blocks, options);
  for (const [height, address, weight] of weights) payouts.setWeight(height, address, weight);
  return payouts.result();
};

/** A fraction in lowest terms. */
class Fraction {
  readonly top: bigint;
  readonly bottom: bigint;

  constructor(top: bigint, bottom = 1n) {
    let [divisor, rest] = [bottom, top];
    while (rest !== 0n) [divisor, rest] = [rest, divisor % rest];
    this.top = top / divisor;
    this.bottom = bottom / divisor;
  }

  plus({ top, bottom }: Fraction): Fraction {
    return new Fraction(this.top * bottom + top * this.bottom, this.bottom * bottom);
  }

  floor(): bigint {
    return this.top / this.bottom;
  }

  /** Above 0 if this is more than the other. */
  minus({ top, bottom }: Fraction): bigint {
    return this.top * bottom - top * this.bottom;
  }
}

const weightsAfter = (height: number, { weights, options }: Case): Map<string, bigint> => {
  const at = new Map<string, bigint>();
  for (const [changedAt, address, weight] of weights) if (changedAt <= height) at.set(address, weight);
  const counted = new Map<string, bigint>();
  for (const [address, weight] of at) {
    const capped = options.cap === null || weight < options.cap ? weight : options.cap;
    if (capped > 0n && capped >= options.minimum && !options.exclude.has(address))
      counted.set(address, capped);
  }
  return counted;
};

/** The same, block by block and voter by voter. */
const plainResultOf = (given: Case): Result => {
  const { blocks, options } = given;
  const shares = new Map<string, Fraction>();
  let all = new Fraction(0n);
  for (const { height, reward, fees } of blocks) {
    const weights = weightsAfter(height - 1, given);
    const total = [...weights.values()].reduce((sum, weight) => sum + weight, 0n);
    for (const [address, weight] of weights) {
      const share = new Fraction((reward + fees) * options.share * weight, 100_000_000n * total);
      shares.set(address, (shares.get(address) ?? new Fraction(0n)).plus(share));
      all = all.plus(share);
    }
  }
  const rows = [...shares].map(([address, share]) => ({
    address,
    amount: share.floor(),
    remainder: share.plus(new Fraction(-share.floor())),
  }));
  rows.sort((one, other) => {
    const difference = other.remainder.minus(one.remainder);
    return difference === 0n ? (one.address < other.address ? -1 : 1) : difference > 0n ? 1 : -1;
  });
  const shared = all.floor();
  const left = shared - rows.reduce((sum, { amount }) => sum + amount, 0n);
  for (const row of rows.slice(0, Number(left))) row.amount += 1n;
  const paid = rows.filter(({ amount }) => amount > 0n);
  const payouts = paid.map(({ address, amount }) => ({ address, amount }));
  payouts.sort((one, other) =>
    one.amount === other.amount ? (one.address < other.address ? -1 : 1) : one.amount < other.amount ? 1 : -1,
  );
  const rewards = blocks.reduce((sum, { reward }) => sum + reward, 0n);
  const fees = blocks.reduce((sum, block) => sum + block.fees, 0n);
  const totals = { forgedBlocks: blocks.length, rewards, fees, shared, kept: rewards + fees - shared };
  return { payouts, totals };
};

const LARGEST = 2n ** 63n - 1n;
const WEIGHTS: Readonly<Record<string, (random: SeededRandom) => bigint>> = {
  tiny: (random) => BigInt(random.between(1, 3)),
  equal: () => 1_000_000_007n,
  round: (random) => 10n ** BigInt(random.between(0, 12)),
  real: (random) => random.amount(1n, 10n ** 15n),
  large: (random) => LARGEST - BigInt(random.below(1_000)),
  all: (random) => WEIGHTS[random.pick(['tiny', 'equal', 'round', 'real', 'large'])]!(random),
};

const FIRST_HEIGHT = 10;
const LAST_HEIGHT = 90;

const randomCase = (random: SeededRandom, weightOf: (random: SeededRandom) => bigint): Case => {
  const fixed = random.chance(0.5) ? 200_000_000n : random.amount(1n, 10n ** 9n);
  const blocks: ForgedBlock[] = [];
  for (let height = FIRST_HEIGHT; height <= LAST_HEIGHT; height += random.between(1, 12)) {
    const reward = random.chance(0.1) ? 0n : fixed;
    blocks.push({ height, reward, fees: random.chance(0.5) ? 0n : random.amount(1n, 30_000_000n) });
  }
  const addresses = random.shuffle(Array.from({ length: random.between(1, 12) }, (_, i) => `A${i}`));
  // Sometimes nobody votes at first, and sometimes all leave.
  const weights: Weight[] = random.chance(0.2)
    ? []
    : addresses.map((address) => [FIRST_HEIGHT - 1, address, weightOf(random)]);
  const changes = random.pick([0, 2, 30]);
  for (let height = FIRST_HEIGHT - 1; height <= LAST_HEIGHT + 2; height += 1) {
    while (random.chance(changes / 90)) {
      const weight = random.chance(0.3) ? 0n : weightOf(random);
      weights.push([height, random.pick(addresses), weight]);
    }
    if (random.chance(0.01)) for (const address of addresses) weights.push([height, address, 0n]);
  }
  const options: PayoutOptions = {
    share: random.pick([WHOLE_SHARE, WHOLE_SHARE / 2n, 92_500_000n, 33_333_333n, 1n, 0n]),
    minimum: random.chance(0.6) ? 0n : weightOf(random),
    cap: random.chance(0.5) ? null : weightOf(random),
    exclude: new Set(random.chance(0.7) ? [] : [random.pick(addresses), 'someone else']),
  };
  return { blocks, weights, options };
};

describe('payouts', () => {
  it.each(Object.keys(WEIGHTS))('are those of a plain computation block by block: %s weights', (kind) => {
    const random = SeededRandom.of(15);
    for (let run = 0; run < 400; run += 1) {
      const given = randomCase(random, WEIGHTS[kind]!);
      const result = resultOf(given);
      expect({ run, ...result }).toEqual({ run, ...plainResultOf(given) });
      const { rewards, fees, shared, kept } = result.totals;
      expect(result.payouts.reduce((sum, { amount }) => sum + amount, 0n)).toBe(shared);
      expect(shared + kept).toBe(rewards + fees);
    }
  });

  const block = (height: number, reward: bigint, fees = 0n): ForgedBlock => ({ height, reward, fees });
  const amounts = (given: Case): Record<string, bigint> =>
    Object.fromEntries(resultOf(given).payouts.map(({ address, amount }) => [address, amount]));

  it('use the weights before a block: its own changes count from the next forged block on', () => {
    const weights = weightsOf('9 A 1', '10 B 1', '10 A 0');
    const blocks = [block(10, 5n), block(11, 7n)];
    expect(amounts({ blocks, weights, options: ALL })).toEqual({ A: 5n, B: 7n });
  });

  it('round the largest remainders up, and of equal ones the lower address', () => {
    const weights = weightsOf('9 C 1', '9 B 1', '9 A 1', '9 D 2');
    // 1.6 each, and 3.2 for D: two are rounded up.
    const { payouts } = resultOf({ blocks: [block(10, 8n)], weights, options: ALL });
    expect(payouts.map(({ address, amount }) => `${address} ${amount}`)).toEqual([
      'D 3',
      'A 2',
      'B 2',
      'C 1',
    ]);
  });

  /** Whole numbers up to each total whose sum, each divided by its total, has the remainder top / (product of totals). */
  const partsOf = (top: bigint, totals: readonly bigint[]): bigint[] => {
    const product = totals.reduce((all, total) => all * total, 1n);
    return totals.map((total) => {
      const others = product / total;
      // Each total is a prime, so others^(total - 2) is the inverse of others.
      let [inverse, power] = [1n, others % total];
      for (let exponent = total - 2n; exponent > 0n; exponent >>= 1n) {
        if (exponent & 1n) inverse = (inverse * power) % total;
        power = (power * power) % total;
      }
      return (top * inverse) % total;
    });
  };

  const PRIMES = [2n ** 61n - 1n, 10n ** 18n + 9n, 10n ** 18n + 3n, 10n ** 9n + 7n, 10n ** 9n + 9n];
  const PRODUCT = PRIMES.reduce((all, prime) => all * prime, 1n);

  /** Z's parts have the remainder top / PRODUCT; A has the rest of each block. */
  const twoVoters = (top: bigint): Case => ({
    blocks: PRIMES.map((_, i) => block(10 + i, 1n)),
    weights: partsOf(top, PRIMES).flatMap((weight, i): Weight[] => [
      [9 + i, 'Z', weight],
      [9 + i, 'A', PRIMES[i]! - weight],
    ]),
    options: ALL,
  });

  it.each<[string, bigint, 'Z' | 'A']>([
    ['Z has 2^-241 more than a half', (PRODUCT + 1n) / 2n, 'Z'],
    ['Z has 2^-241 less than a half', (PRODUCT - 1n) / 2n, 'A'],
    ['Z has 2^-240 less than a whole', PRODUCT - 1n, 'Z'],
    ['Z has 2^-240 more than a whole', 1n, 'A'],
  ])('compare remainders exactly: %s', (_, top, roundedUp) => {
    const given = twoVoters(top);
    const { payouts, totals } = resultOf(given);
    expect({ payouts, totals }).toEqual(plainResultOf(given));
    let parts = new Fraction(0n);
    for (const [i, weight] of partsOf(top, PRIMES).entries())
      parts = parts.plus(new Fraction(weight, PRIMES[i]));
    expect(parts.minus(new Fraction(parts.floor() * PRODUCT + top, PRODUCT))).toBe(0n);
    const expected = roundedUp === 'Z' ? parts.floor() + 1n : parts.floor();
    expect(amounts(given)['Z'] ?? 0n).toBe(expected);
  });

  it('compare remainders exactly: A and Z leave one after the other', () => {
    // Half an arktoshi for each, and 2^-66 more for Z.
    const weights = weightsOf('9 A 1', '9 Z 1', `9 M ${2n ** 66n - 2n}`, '10 A 0', '11 Z 0');
    const blocks = [block(10, 2n ** 65n), block(11, 1n)];
    expect(amounts({ blocks, weights, options: ALL })).toEqual({ M: 2n ** 65n, Z: 1n });
  });

  it('of no block are nothing', () => {
    expect(resultOf({ blocks: [], weights: weightsOf('9 A 5'), options: ALL })).toEqual({
      payouts: [],
      totals: { forgedBlocks: 0, rewards: 0n, fees: 0n, shared: 0n, kept: 0n },
    });
  });

  it('refuse weights that do not ascend, and a share that is not from 0 to 100 percent', () => {
    const payouts = new Payouts([], ALL);
    payouts.setWeight(10, 'A', 1n);
    expect(() => payouts.setWeight(9, 'A', 1n)).toThrow(/height 9 came after one at 10/);
    expect(() => new Payouts([], { ...ALL, share: WHOLE_SHARE + 1n })).toThrow(RangeError);
    expect(() => new Payouts([], { ...ALL, share: -1n })).toThrow(RangeError);
  });
});
