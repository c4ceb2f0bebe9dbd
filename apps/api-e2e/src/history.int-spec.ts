import { inspect } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { RunningApi } from '@roundhouse/api';
import type { Block, Delegate } from '@roundhouse/chain';
import { RoundhouseClient } from '@roundhouse/client';
import { randomChain } from '@roundhouse/testing';
import { startApi } from './support/api-under-test.js';
import { activeAfter, byBytes, cleanForgers, expectedRounds, rankIn } from './support/expected-rounds.js';
import { GrowingIndex } from './support/growing-index.js';
import { pastStates, type PastState } from './support/past-states.js';

const BLOCKS = 160;
const BATCH_BLOCKS = 31;

/** The height at which the two branches part. */
const FORK = 120;

/** The keys that have sent a transaction or forged a block, with the height of their first one. */
const firstUses = (blocks: readonly Block[]): ReadonlyMap<string, number> => {
  const heights = new Map<string, number>();
  for (const { height, generatorPublicKey, transactions } of blocks) {
    for (const key of [generatorPublicKey, ...transactions.map(({ senderPublicKey }) => senderPublicKey)])
      if (!heights.has(key)) heights.set(key, height);
  }
  return heights;
};

const expectedAccount = (
  { height, accounts, delegates }: PastState,
  used: ReadonlyMap<string, number>,
  address: string,
) => {
  const { balance, locked, vote, secondPublicKey, ...account } = accounts.get(address)!;
  const isUsed = account.publicKey !== null && (used.get(account.publicKey) ?? Infinity) <= height;
  const publicKey = isUsed ? account.publicKey : null;
  const voteUsername = delegates.find((delegate) => delegate.publicKey === vote)?.username ?? null;
  return { address, publicKey, balance, locked, vote, voteUsername, secondPublicKey };
};

/** The heights before and after each change of an answer, and the last one. */
const turnsOf = (
  states: readonly PastState[],
  answerAt: (state: PastState) => unknown,
): ReadonlySet<number> => {
  const turns = new Set([states.length]);
  let before: string | null = null;
  for (const state of states) {
    const now = inspect(answerAt(state), { depth: null, maxArrayLength: null });
    if (before !== null && now !== before) turns.add(state.height - 1).add(state.height);
    before = now;
  }
  return turns;
};

const expectedDelegates = (state: PastState) =>
  state.delegates
    .map(({ forgedFees: fees, forgedRewards: rewards, ...delegate }) => ({
      rank: rankIn(state, delegate as Delegate),
      username: delegate.username,
      publicKey: delegate.publicKey,
      address: delegate.address,
      isResigned: delegate.isResigned,
      weight: delegate.weight,
      producedblocks: delegate.producedBlocks,
      missedblocks: delegate.missedBlocks,
      fees,
      rewards,
      forged: fees + rewards,
    }))
    .sort(
      (one, other) =>
        (one.rank ?? Infinity) - (other.rank ?? Infinity) || byBytes(one.username, other.username),
    );

const expectedVoters = ({ accounts }: PastState, { publicKey }: Delegate) =>
  [...accounts.values()]
    .filter(({ vote }) => vote === publicKey)
    .map(({ address, balance, locked }) => ({ address, balance, locked }))
    .sort((one, other) =>
      one.balance === other.balance
        ? byBytes(one.address, other.address)
        : Number(other.balance > one.balance) - Number(other.balance < one.balance),
    );

const expectedChanges = (blocks: readonly Block[], states: readonly PastState[], address: string) => {
  const changes = [];
  let before: readonly unknown[] = [];
  for (const { height, accounts } of states) {
    const account = accounts.get(address);
    if (!account) continue;
    const { balance, locked, vote } = account;
    const now = [balance, locked, vote];
    if (now.some((value, place) => value !== before[place]))
      changes.push({ height, blockId: blocks[height - 1]!.id, balance, locked, vote });
    before = now;
  }
  return changes.reverse();
};

describe('history on a random chain', () => {
  const { network, blocks } = randomChain({ seed: 17, blocks: BLOCKS, forkFrom: FORK });
  const otherBranch = randomChain({ seed: 17, blocks: FORK + 20 }).blocks;
  const states = pastStates(network, blocks);
  const last = states.at(-1)!;
  const used = firstUses(blocks);
  let index: GrowingIndex;
  let api: RunningApi;
  let client: RoundhouseClient;

  beforeAll(async () => {
    index = await GrowingIndex.create(network, { keepsHistory: true });
    // The other branch leaves no trace.
    for (let from = 0; from < otherBranch.length; from += BATCH_BLOCKS)
      await index.apply(otherBranch.slice(from, from + BATCH_BLOCKS));
    await index.undoTo(FORK - 1);
    await index.apply(blocks.slice(FORK - 1));
    // Second keys of accounts that have sent more than 1,000 transactions are searched in another way.
    await index.query('UPDATE accounts SET nonce = nonce + 1000 WHERE number % 2 = 0');
    // Short lists of voters are answered, long ones are streamed.
    api = await startApi(index.url, { STREAM_FROM_VOTERS: '4' });
    client = new RoundhouseClient(api.url);
  });

  afterAll(async () => {
    await api.close();
    await index.close();
  });

  it('shows every account before and after each of its changes as a ledger had it', async () => {
    const turns = new Map(
      [...last.accounts.keys()].map((address) => [
        address,
        turnsOf(states, (state) => state.accounts.has(address) && expectedAccount(state, used, address)),
      ]),
    );
    for (const state of states) {
      const { height } = state;
      const asked = [...last.accounts].map(async ([address, { publicKey }]) => {
        if (!turns.get(address)!.has(height)) return;
        const name = height % 2 === 0 ? (publicKey ?? address) : address;
        const answer = client.get('/api/history/accounts/{address}', { address: name, height });
        if (!state.accounts.has(address))
          return expect(answer).rejects.toThrow('There was no account with this address');
        const account = expectedAccount(state, used, address);
        return expect(await answer).toEqual({ height, account, success: true });
      });
      await Promise.all(asked);
    }
    // The chain has each of these.
    const all = [...last.accounts.values()];
    expect(all.some(({ secondPublicKey }) => secondPublicKey !== null)).toBe(true);
    expect(all.some(({ locked }) => locked > 0n)).toBe(true);
    expect(all.some(({ vote }) => vote !== null)).toBe(true);
  });

  it('shows delegates and the supply at every height, voters before and after each change, as a ledger had them', async () => {
    const turns = new Map(
      last.delegates.map((delegate) => [
        delegate.publicKey,
        turnsOf(
          states,
          (state) => delegate.registeredHeight <= state.height && expectedVoters(state, delegate),
        ),
      ]),
    );
    for (const state of states) {
      const { height } = state;
      expect((await client.get('/api/history/supply', { height })).supply).toBe(state.supply);
      const { delegates } = await client.get('/api/history/delegates', { height });
      expect({ height, delegates }).toEqual({ height, delegates: expectedDelegates(state) });
      const asked = last.delegates.map(async (delegate) => {
        if (!turns.get(delegate.publicKey)!.has(height)) return;
        const name = height % 2 === 0 ? delegate.publicKey : delegate.username;
        const answer = client.get('/api/history/delegates/{delegate}/voters', { delegate: name, height });
        if (delegate.registeredHeight > height)
          return expect(answer).rejects.toThrow('There was no delegate with this username or public key');
        const accounts = expectedVoters(state, delegate);
        expect(await answer).toEqual({ height, accounts, success: true });
        const { weight } = state.delegates.find(({ publicKey }) => publicKey === delegate.publicKey)!;
        return expect(accounts.reduce((sum, { balance, locked }) => sum + balance + locked, 0n)).toBe(weight);
      });
      await Promise.all(asked);
    }
    expect(last.delegates.some(({ registeredHeight }) => registeredHeight > 1)).toBe(true);
    expect(last.delegates.some(({ isResigned }) => isResigned)).toBe(true);
  });

  it("lists every account's changes, page by page", async () => {
    for (const address of last.accounts.keys()) {
      const expected = expectedChanges(blocks, states, address);
      for (const limit of [3, 100]) {
        const changes = [];
        let cursor: string | null = null;
        do {
          const page: Awaited<ReturnType<typeof pageOf>> = await pageOf(address, limit, cursor);
          expect(page.changes.length).toBeLessThanOrEqual(limit);
          changes.push(...page.changes);
          cursor = page.nextCursor;
        } while (cursor !== null);
        expect({ address, changes }).toEqual({ address, changes: expected });
      }
    }
  });

  const pageOf = (address: string, limit: number, cursor: string | null) =>
    client.get('/api/history/accounts/{address}/changes', { address, limit, cursor: cursor ?? undefined });

  it("lists each delegate's weight and rank at the ends of rounds, and by which weights the next forgers were chosen", async () => {
    const seen = new Set<string>();
    for (const { publicKey } of last.delegates) {
      const expected = expectedRounds(states, publicKey);
      for (const limit of [1, 5, 1000]) {
        const { rounds } = await client.get('/api/history/delegates/{delegate}/rounds', {
          delegate: publicKey,
          limit,
        });
        expect(rounds).toEqual(expected.slice(0, limit));
        for (const { forgers } of rounds) seen.add(forgers!);
      }
    }
    expect([...seen].sort()).toEqual(['clean', 'restarted', 'running']);
    const roundEnds = states.filter(({ endedRound }) => endedRound !== null);
    expect(
      roundEnds.some((state) => cleanForgers(state).some((key) => !activeAfter(state).includes(key))),
    ).toBe(true);
  });

  it('says nothing of forgers if an earlier version has not counted the claims', async () => {
    await index.query('UPDATE head SET claims_height = 0');
    try {
      const { publicKey } = last.delegates[0]!;
      const { rounds } = await client.get('/api/history/delegates/{delegate}/rounds', {
        delegate: publicKey,
        limit: 999,
      });
      const unknown = { forgingWeight: null, isActive: null, forgers: null };
      expect(rounds).toEqual(expectedRounds(states, publicKey).map((each) => ({ ...each, ...unknown })));
    } finally {
      await index.query('UPDATE head SET claims_height = height');
    }
  });
});
