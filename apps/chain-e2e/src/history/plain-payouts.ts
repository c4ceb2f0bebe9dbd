import type { ForgedBlock } from './plain-chain.js';

export interface PayoutQuery {
  /** The delegate's public key. */
  readonly delegate: string;
  readonly from: number;
  readonly to: number;
  /** In percent, with up to 6 decimals. */
  readonly share: string;
  readonly minimum: bigint;
  readonly cap: bigint | null;
  readonly exclude: readonly string[];
}

/** Amounts are text. */
export interface PlainPayouts {
  readonly forgedBlocks: number;
  readonly rewards: string;
  readonly fees: string;
  readonly shared: string;
  readonly kept: string;
  readonly payouts: readonly { readonly address: string; readonly amount: string }[];
}

interface Part {
  readonly address: string;
  /** In fractions of an arktoshi. */
  exact: bigint;
  amount: bigint;
}

/** 92.5 percent are 92,500,000 of 100,000,000. */
const WHOLE = 100_000_000n;
const shareOf = (percent: string): bigint => {
  const [whole = '', decimals = ''] = percent.split('.');
  return BigInt(whole + decimals.padEnd(6, '0'));
};

/** The weights that count, by address. */
const countedWeights = (
  { weights }: ForgedBlock,
  { minimum, cap, exclude }: PayoutQuery,
): [string, bigint][] => {
  const counted: [string, bigint][] = [];
  for (const [address, weight] of weights) {
    const most = cap === null || weight < cap ? weight : cap;
    if (most > 0n && most >= minimum && !exclude.includes(address)) counted.push([address, most]);
  }
  return counted;
};

const sum = (amounts: readonly bigint[]): bigint => amounts.reduce((total, amount) => total + amount, 0n);

const compare = (one: bigint | string, other: bigint | string): number =>
  one === other ? 0 : one < other ? -1 : 1;

/**
 * Payouts, recomputed plainly: each voter's part of each block as a fraction, all with one denominator, added up and
 * rounded down; what is missing to the whole sum goes by single arktoshi to the largest remainders, and of equal ones to
 * the lower address.
 */
export const plainPayouts = (chain: readonly ForgedBlock[], query: PayoutQuery): PlainPayouts => {
  const blocks = chain.filter(
    ({ height, forger }) => forger === query.delegate && height >= query.from && height <= query.to,
  );
  const counted = blocks.map((block) => ({ ...block, counted: countedWeights(block, query) }));
  const totals = counted.map(({ counted: weights }) => sum(weights.map(([, weight]) => weight)));
  const denominator = totals.reduce((product, total) => product * (total || 1n), WHOLE);
  const parts = new Map<string, Part>();
  for (const [place, { reward, fees, counted: weights }] of counted.entries()) {
    for (const [address, weight] of weights) {
      const part = parts.get(address) ?? { address, exact: 0n, amount: 0n };
      part.exact +=
        ((reward + fees) * shareOf(query.share) * weight * denominator) / (WHOLE * totals[place]!);
      parts.set(address, part);
    }
  }
  const all = [...parts.values()];
  for (const part of all) part.amount = part.exact / denominator;
  const shared = sum(all.map(({ exact }) => exact)) / denominator;
  all.sort(
    (one, other) =>
      compare(other.exact % denominator, one.exact % denominator) || compare(one.address, other.address),
  );
  const missing = shared - sum(all.map(({ amount }) => amount));
  for (const part of all.slice(0, Number(missing))) part.amount += 1n;
  const rewards = sum(blocks.map(({ reward }) => reward));
  const fees = sum(blocks.map((block) => block.fees));
  const payouts = all
    .filter(({ amount }) => amount > 0n)
    .sort((one, other) => compare(other.amount, one.amount) || compare(one.address, other.address));
  return {
    forgedBlocks: blocks.length,
    rewards: String(rewards),
    fees: String(fees),
    shared: String(shared),
    kept: String(rewards + fees - shared),
    payouts: payouts.map(({ address, amount }) => ({ address, amount: String(amount) })),
  };
};
