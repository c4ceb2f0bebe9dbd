import { readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { archiveLine } from '@roundhouse/blocks';
import { SeededRandom, randomChain, recordingFile } from '@roundhouse/testing';
import { MemoryChain } from './history/memory-chain.js';
import type { Whole } from './history/past-answers.js';
import { forgedBlocks, type ForgedBlock } from './history/plain-chain.js';
import { plainPayouts, type PayoutQuery, type PlainPayouts } from './history/plain-payouts.js';
import { RecordedIndex } from './recorded-index.js';
import { ServedIndex } from './served-index.js';

const random = randomChain({ seed: 1_500, blocks: 200 });

const serveRandom = async (): Promise<ServedIndex> => {
  const { network, blocks } = random;
  const index = await RecordedIndex.create(new MemoryChain(blocks), network, { keepsHistory: true });
  await index.indexTo(blocks.length);
  return ServedIndex.of(index, blocks.length);
};

const recordedLines = (): string[] =>
  gunzipSync(readFileSync(recordingFile('core-3.9', 'chain.ndjson.gz')))
    .toString()
    .trimEnd()
    .split('\n');

type PayoutsAnswer = Readonly<
  Record<'forgedBlocks' | 'rewards' | 'fees' | 'shared' | 'kept', Whole> & {
    payouts: readonly { readonly address: string; readonly amount: Whole }[];
  }
>;

const pathOf = ({ delegate, from, to, share, minimum, cap, exclude }: PayoutQuery): string => {
  const parameters = new URLSearchParams({ from: `${from}`, to: `${to}`, share });
  if (minimum > 0n) parameters.set('minimum', `${minimum}`);
  if (cap !== null) parameters.set('cap', `${cap}`);
  if (exclude.length > 0) parameters.set('exclude', exclude.join(','));
  return `/api/history/delegates/${delegate}/payouts?${parameters.toString()}`;
};

const textsOf = ({ payouts, ...answer }: PayoutsAnswer): PlainPayouts => ({
  forgedBlocks: Number(answer.forgedBlocks),
  rewards: String(answer.rewards),
  fees: String(answer.fees),
  shared: String(answer.shared),
  kept: String(answer.kept),
  payouts: payouts.map(({ address, amount }) => ({ address, amount: String(amount) })),
});

/** A weight that one of the voters of the delegate's blocks has, or 0. */
const someWeight = (draw: SeededRandom, weights: readonly bigint[]): bigint =>
  weights.length > 0 ? draw.pick(weights) : 0n;

const randomQuery = (draw: SeededRandom, chain: readonly ForgedBlock[], delegate: string): PayoutQuery => {
  const forged = chain.filter(({ forger }) => forger === delegate);
  const voters = forged.flatMap(({ weights }) => [...weights]);
  const weights = voters.map(([, weight]) => weight).filter((weight) => weight > 0n);
  const addresses = voters.map(([address]) => address);
  const from = draw.between(1, chain.length);
  return {
    delegate,
    from,
    // It was registered then.
    to: draw.between(Math.max(from, forged[0]!.height), chain.length),
    share: draw.pick(['100', '92.5', '33.333333', '0.000001', '0']),
    minimum: draw.chance(0.4) ? someWeight(draw, weights) : 0n,
    cap: draw.chance(0.4) ? someWeight(draw, weights) : null,
    exclude: draw.chance(0.4) && addresses.length > 0 ? [draw.pick(addresses), draw.pick(addresses)] : [],
  };
};

describe.each([
  {
    name: 'a Core 3.9 chain',
    lines: recordedLines,
    serve: () => ServedIndex.open('core-3.9', undefined, { keepsHistory: true }),
  },
  {
    name: 'a random chain with all types of transactions',
    lines: () => random.blocks.map(archiveLine),
    serve: serveRandom,
  },
])('payouts of $name', ({ lines, serve }) => {
  const chain = forgedBlocks(lines());
  // The genesis block is not forged by a delegate.
  const delegates = [...new Set(chain.slice(1).map(({ forger }) => forger))];
  let served: ServedIndex;
  beforeAll(async () => {
    served = await serve();
  });
  afterAll(() => served.close());

  const expectPayouts = async (query: PayoutQuery): Promise<PlainPayouts> => {
    const path = pathOf(query);
    const answer = textsOf(await served.found<PayoutsAnswer>(path));
    expect({ path, answer }).toEqual({ path, answer: plainPayouts(chain, query) });
    return answer;
  };

  const whole = { from: 1, to: chain.length, share: '100', minimum: 0n, cap: null, exclude: [] };

  it('are those of a plain recomputation from the archive, for all blocks of every delegate', async () => {
    let paid = 0;
    for (const delegate of delegates) paid += (await expectPayouts({ ...whole, delegate })).payouts.length;
    expect(paid).toBeGreaterThan(delegates.length);
  });

  it('are so with share, minimum, cap and exclude, in any range', async () => {
    const draw = SeededRandom.of(15);
    const seen = { paid: 0, keptAll: 0 };
    for (const delegate of delegates) {
      for (let turn = 0; turn < 8; turn += 1) {
        const { payouts, kept } = await expectPayouts(randomQuery(draw, chain, delegate));
        if (payouts.length > 0) seen.paid += 1;
        else if (kept !== '0') seen.keptAll += 1;
      }
    }
    expect(seen.paid).toBeGreaterThan(delegates.length);
    expect(seen.keptAll).toBeGreaterThan(1);
  });

  it('are the same as CSV', async () => {
    for (const delegate of delegates) {
      const query = { ...whole, delegate, share: '92.5' };
      const { headers, body } = await served.request(`${pathOf(query)}&format=csv`);
      expect(headers.get('content-type')).toMatch(/^text\/csv\b/);
      const { payouts } = plainPayouts(chain, query);
      expect(body).toBe(
        ['address,amount', ...payouts.map(({ address, amount }) => `${address},${amount}`), ''].join('\n'),
      );
    }
  });
});
