import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { RunningApi } from '@roundhouse/api';
import type { Block } from '@roundhouse/chain';
import { RoundhouseClient, type PayoutsResponse } from '@roundhouse/client';
import { SeededRandom, randomChain } from '@roundhouse/testing';
import { startApi } from './support/api-under-test.js';
import { GrowingIndex } from './support/growing-index.js';
import { pastStates, type PastState } from './support/past-states.js';
import { getError, getText } from './support/requests.js';

const BLOCKS = 160;

interface Options {
  readonly share?: string;
  readonly minimum?: bigint;
  readonly cap?: bigint;
  readonly exclude?: string;
}

/** A fraction that is not reduced. */
type Fraction = readonly [top: bigint, bottom: bigint];

const plus = ([a, b]: Fraction, [c, d]: Fraction): Fraction => [a * d + c * b, b * d];

/** The shares of each block, added up as fractions, voter by voter. */
const plainShares = (
  states: readonly PastState[],
  forged: readonly Block[],
  delegate: string,
  { share = '100', minimum = 0n, cap, exclude = '' }: Options,
): Map<string, Fraction> => {
  const [whole = '', decimals = ''] = share.split('.');
  const millionths = BigInt(whole + decimals.padEnd(6, '0'));
  const shares = new Map<string, Fraction>();
  for (const { height, reward, totalFee } of forged) {
    const weights = [...(states[height - 2]?.accounts.values() ?? [])]
      .filter(({ address, vote }) => vote === delegate && !exclude.split(',').includes(address))
      .map(({ address, balance, locked }) => {
        const weight = balance + locked;
        return { address, weight: cap !== undefined && weight > cap ? cap : weight };
      })
      .filter(({ weight }) => weight > 0n && weight >= minimum);
    const total = weights.reduce((sum, { weight }) => sum + weight, 0n);
    for (const { address, weight } of weights) {
      const part: Fraction = [(reward + totalFee) * millionths * weight, 100_000_000n * total];
      shares.set(address, plus(shares.get(address) ?? [0n, 1n], part));
    }
  }
  return shares;
};

/** Rounded down, then the largest remainders up, of equal ones those of lower addresses. */
const rounded = (shares: ReadonlyMap<string, Fraction>): { address: string; amount: bigint }[] => {
  const all = [...shares.values()].reduce(plus, [0n, 1n]);
  const rows = [...shares].map(([address, [top, bottom]]) => ({
    address,
    amount: top / bottom,
    remainder: [top % bottom, bottom] as const,
  }));
  const left = all[0] / all[1] - rows.reduce((sum, { amount }) => sum + amount, 0n);
  rows.sort(({ address, remainder: [a, b] }, { address: other, remainder: [c, d] }) => {
    const difference = c * b - a * d;
    return difference === 0n ? (address < other ? -1 : 1) : difference > 0n ? 1 : -1;
  });
  return rows
    .map(({ address, amount }, place) => ({ address, amount: place < left ? amount + 1n : amount }))
    .filter(({ amount }) => amount > 0n)
    .sort((one, other) =>
      one.amount === other.amount
        ? one.address < other.address
          ? -1
          : 1
        : one.amount < other.amount
          ? 1
          : -1,
    );
};

describe('payouts on a random chain', () => {
  const { network, blocks } = randomChain({ seed: 8, blocks: BLOCKS });
  const states = pastStates(network, blocks);
  const { delegates, accounts } = states.at(-1)!;
  let index: GrowingIndex;
  let api: RunningApi;
  let client: RoundhouseClient;

  beforeAll(async () => {
    index = await GrowingIndex.create(network, { keepsHistory: true });
    for (let from = 0; from < BLOCKS; from += 50) await index.apply(blocks.slice(from, from + 50));
    api = await startApi(index.url);
    client = new RoundhouseClient(api.url);
  });

  afterAll(async () => {
    await api.close();
    await index.close();
  });

  const payoutsOf = (delegate: string, from: number, to: number, options: Options) =>
    client.get('/api/history/delegates/{delegate}/payouts', { delegate, from, to, ...options });

  const expected = (delegate: string, from: number, to: number, options: Options): PayoutsResponse => {
    const forged = blocks.filter(
      ({ height, generatorPublicKey }) => generatorPublicKey === delegate && height >= from && height <= to,
    );
    const payouts = rounded(plainShares(states, forged, delegate, options));
    const rewards = forged.reduce((sum, { reward }) => sum + reward, 0n);
    const fees = forged.reduce((sum, { totalFee }) => sum + totalFee, 0n);
    const shared = payouts.reduce((sum, { amount }) => sum + amount, 0n);
    const kept = rewards + fees - shared;
    return { from, to, forgedBlocks: forged.length, rewards, fees, shared, kept, payouts, success: true };
  };

  it('share all blocks of each delegate, exactly', async () => {
    let shared = 0n;
    for (const { publicKey, registeredHeight } of delegates) {
      const answer = await payoutsOf(publicKey, 1, BLOCKS, {});
      expect(answer).toEqual(expected(publicKey, 1, BLOCKS, {}));
      if (registeredHeight === 1) shared += answer.shared;
    }
    expect(shared).toBeGreaterThan(0n);
  });

  it('share any range with any options', async () => {
    const random = SeededRandom.of(15);
    const addresses = [...accounts.keys()];
    const weights = [...accounts.values()].map(({ balance }) => balance).filter((balance) => balance > 0n);
    let paid = 0;
    for (let run = 0; run < 60; run += 1) {
      const { publicKey } = random.pick(delegates.filter(({ registeredHeight }) => registeredHeight === 1));
      const from = random.between(1, BLOCKS);
      const to = random.between(from, BLOCKS);
      const excluded = [random.pick(addresses), random.pick(addresses)];
      const options: Options = {
        ...(random.chance(0.7) && { share: random.pick(['92.5', '0', '33.333333', '100.0', '007']) }),
        ...(random.chance(0.4) && { minimum: random.pick(weights) }),
        ...(random.chance(0.4) && { cap: random.pick(weights) }),
        ...(random.chance(0.4) && { exclude: excluded.join(',') }),
      };
      const answer = await payoutsOf(publicKey, from, to, options);
      expect({ options, answer }).toEqual({ options, answer: expected(publicKey, from, to, options) });
      paid += answer.payouts.length > 1 ? 1 : 0;
    }
    expect(paid).toBeGreaterThan(10);
  });

  it('are also a table', async () => {
    const { publicKey } = delegates[0]!;
    const { payouts } = await payoutsOf(publicKey, 1, BLOCKS, {});
    const path = `/api/history/delegates/${publicKey}/payouts?from=1&to=${BLOCKS}`;
    const { status, headers, text } = await getText(api.url, `${path}&format=csv`);
    expect([status, headers.get('content-type')]).toEqual([200, 'text/csv; charset=utf-8']);
    expect(text).toBe(
      ['address,amount', ...payouts.map(({ address, amount }) => `${address},${amount}`), ''].join('\n'),
    );
    expect((await getText(api.url, `${path}&format=json`)).headers.get('content-type')).toMatch(/json/);
  });

  it.each([
    ['from=0&to=5', /"from" must be at least 1/],
    ['from=6&to=5', /"from" must not be larger than "to"/],
    ['to=5', /"from" is required/],
    ['from=5', /"to" is required/],
    ['from=x&to=5', /"from" must be a whole number/],
    ['from=1&to=5&share=100.000001', /"share" must be a percentage/],
    ['from=1&to=5&share=1.2345678', /"share" must be a percentage/],
    ['from=1&to=5&share=-1', /"share" must be a percentage/],
    ['from=1&to=5&minimum=x', /"minimum" must be a whole number/],
    ['from=1&to=5&cap=-1', /"cap" must be a whole number/],
    ['from=1&to=5&exclude=me', /"exclude" must be at most 100 addresses/],
    [
      `from=1&to=5&exclude=${Array.from({ length: 101 }, (_, i) => `A${String(i).padStart(33, '0')}`).join()}`,
      /"exclude" must be at most 100 addresses/,
    ],
    ['from=1&to=5&format=xml', /"format" must be one of json, csv/],
  ])('refuse %s', async (query, error) => {
    const path = `/api/history/delegates/${delegates[0]!.publicKey}/payouts?${query}`;
    const { status, body } = await getError(api.url, path);
    expect({ status, error: body.error }).toEqual({ status: 400, error: expect.stringMatching(error) });
  });

  it('refuse more forged blocks or changes of weights than one answer may have', async () => {
    const { publicKey } = delegates[0]!;
    const own = await GrowingIndex.create(network, { keepsHistory: true });
    await own.apply(blocks.slice(0, 60));
    const top = 5000;
    await own.query(
      `INSERT INTO blocks (height, id, version, "timestamp", number_of_transactions, total_amount, total_fee, reward,
         payload_length, payload_hash, generator, block_signature)
       SELECT i, int8send(i), 0, i, 0, 0, 1, 2, 0, NULL, (SELECT number FROM public_keys WHERE value = decode($1, 'hex')), '\\x30'
       FROM generate_series(61, ${top}) i`,
      [publicKey],
    );
    await own.query(`UPDATE head SET height = ${top}, block_id = int8send(${top})`);
    // 251 accounts that voted from block 61 on, and a change of each in each of 2,000 blocks.
    await own.query(
      `INSERT INTO accounts (number, address, balance, locked, nonce)
       SELECT 1000 + i, 'V' || lpad(i::text, 33, '0'), 0, 0, 0 FROM generate_series(1, 251) i`,
    );
    await own.query(
      `INSERT INTO history_votes SELECT 1000 + i, 61, 2147483647, 'A' || i, decode($1, 'hex') FROM generate_series(1, 251) i`,
      [publicKey],
    );
    await own.query(
      `INSERT INTO history_balances (account, height, balance, locked)
       SELECT 1000 + i, h, h, 0 FROM generate_series(61, 2059) h, generate_series(1, 251) i`,
    );
    await own.query('ANALYZE history_balances, history_votes, accounts, blocks');
    const wide = await startApi(own.url);
    try {
      const path = `/api/history/delegates/${publicKey}/payouts`;
      const tooLong = await getError(wide.url, `${path}?from=3000&to=${top}`);
      expect([tooLong.status, tooLong.body.error]).toEqual([
        400,
        'The range has more than 2,000 blocks of the delegate; ask for a shorter range.',
      ]);
      expect((await getText(wide.url, `${path}?from=3001&to=${top}`)).status).toBe(200);
      // 2,000 blocks each with 251 changes in the block below it.
      const tooMany = await getError(wide.url, `${path}?from=61&to=2060`);
      expect([tooMany.status, tooMany.body.error]).toEqual([
        400,
        'The range has more than 500,000 changes of weights; ask for a shorter range.',
      ]);
      expect((await getText(wide.url, `${path}?from=61&to=300`)).status).toBe(200);
    } finally {
      await wide.close();
      await own.close();
    }
  });
});
