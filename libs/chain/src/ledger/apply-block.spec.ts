import { LedgerInvariantError } from '../errors/chain-error.js';
import { applyBlock } from './apply-block.js';
import { GIVEN, REWARD, SmallChain } from './apply-block.harness.js';
import * as send from './send.harness.js';
import { addressFor, keyOf } from './send.harness.js';
import { Ledger } from './ledger.js';
import type { Account, Delegate } from './state.js';

describe('applying a block', () => {
  it('leaves the genesis sender with what it sent below zero, and adds each reward to the supply', () => {
    const chain = new SmallChain();
    const { ledger } = chain;
    expect(ledger.accounts.get(addressFor('genesis'))?.balance).toBe(-5n * GIVEN);
    expect(ledger.delegates.has(keyOf('genesis'))).toBe(false);
    expect(ledger.supply).toBe(5n * GIVEN);
    for (const name of ['alice', 'bob']) chain.forge(name);
    expect(ledger.supply).toBe(5n * GIVEN + 2n * REWARD);
  });

  it('at the end of a round, counts a missed block for a delegate that forged nothing in it', () => {
    const chain = new SmallChain();
    chain.forge('alice');
    // Round 1 consists of the genesis block and this one.
    expect(chain.delegate('bob').missedBlocks).toBe(1);
    expect(chain.delegate('alice').missedBlocks).toBe(0);
    chain.forge('bob');
    expect(chain.delegate('alice').missedBlocks).toBe(0);
    chain.forge('bob');
    expect(chain.delegate('alice').missedBlocks).toBe(1);
    expect(chain.delegate('bob').missedBlocks).toBe(1);
    expect(chain.ledger.round).toMatchObject({ round: 3, firstHeight: 5 });
  });

  it('with one active delegate, the genesis block is a round of its own, which nobody misses', () => {
    const chain = new SmallChain(true, 1);
    const { ledger } = chain;
    const names = keyOf('alice') < keyOf('bob') ? (['alice', 'bob'] as const) : (['bob', 'alice'] as const);
    const [first, second] = names;
    expect(ledger.round).toMatchObject({ round: 2, firstHeight: 2, forgingOrder: [keyOf(first)] });
    chain.forge(first);
    chain.forge(second);
    const { rounds, rankings, history } = ledger.takeChanges();
    const heights = [2, 3, 4];
    expect(rounds.map(({ round }) => round)).toEqual(heights);
    expect(rounds.map(({ firstHeight }) => firstHeight)).toEqual(heights);
    // One ranking per block, also where the genesis block ends a round.
    for (const { length } of [rankings, history!.rankings]) expect(length).toBe(3);
    expect(names.map((name) => chain.delegate(name).missedBlocks)).toEqual([1, 0]);
  });

  it('ranks by weight at the end of a round; a resigned delegate keeps its last rank', () => {
    const chain = new SmallChain();
    const rankOf = (name: string): number | undefined => {
      const delegate = chain.delegate(name) as Delegate | undefined;
      return delegate && chain.ledger.rankOf(delegate);
    };
    const ranks = () => ['alice', 'bob', 'carol'].map(rankOf);
    const first = chain.delegate('alice').publicKey < chain.delegate('bob').publicKey ? [1, 2] : [2, 1];
    // Equal weights, since the genesis block: by public key.
    expect(ranks()).toEqual([...first, undefined]);
    chain.forge('alice', [send.pay('carol', 'bob', GIVEN / 2n)]);
    expect(ranks()).toEqual([2, 1, undefined]);
    chain.forge('bob', [send.register('carol')]);
    expect(ranks()).toEqual([2, 1, 0]);
    chain.forge('alice', [send.resign('bob')]);
    expect(chain.delegate('bob')).toMatchObject({ lastRank: 1, isResigned: true });
    expect(ranks()).toEqual([1, 0, 2]);
  });

  it('keeps one before-image of each row that the block changes', () => {
    const chain = new SmallChain();
    chain.ledger.takeChanges();
    chain.forge('alice', [send.pay('carol', 'new', 1n), send.pay('carol', 'new', 2n)]);
    const { undo, createdAccounts, updatedAccounts, redirectedAccounts } = chain.ledger.takeChanges();
    expect(undo).toHaveLength(1);
    expect(undo[0]!.accounts).toMatchObject([
      { address: addressFor('carol'), balance: GIVEN, existed: true },
      { address: addressFor('new'), balance: 0n, existed: false },
      { address: addressFor('alice'), balance: GIVEN, existed: true },
    ]);
    const alice: unknown = expect.objectContaining({ username: 'alice', weight: GIVEN });
    expect(undo[0]!.delegates).toContainEqual(alice);
    const addressesOf = (accounts: Iterable<Account>): string[] =>
      [...accounts].map(({ address }) => address);
    expect(addressesOf(createdAccounts)).toEqual([addressFor('new')]);
    expect(addressesOf(updatedAccounts)).toEqual([addressFor('carol'), addressFor('alice')]);
    // Only carol's public key was still unknown.
    expect(addressesOf(redirectedAccounts)).toEqual([addressFor('carol')]);
  });

  it('refuses a block that is not the next one', () => {
    const chain = new SmallChain();
    const { ledger } = chain;
    const block = chain.next('alice');
    expect(() => applyBlock(ledger, { ...block, height: 3 })).toThrow(/cannot be applied/);
    expect(() => applyBlock(ledger, { ...block, previousBlock: '7' })).toThrow(/cannot be applied/);
    applyBlock(ledger, block);
    expect(ledger.head?.id).toBe('1002');
  });

  it('drops the accounts that were touched longest ago, never one that is not committed', () => {
    const chain = new SmallChain();
    const { ledger } = chain;
    const held = (): string[] =>
      ['alice', 'bob', 'carol', 'dave', 'erin'].filter((name) => ledger.accounts.has(addressFor(name)));
    chain.forge('alice', [send.pay('carol', 'dave', 1n)]);
    chain.forge('bob', [send.pay('dave', 'dave', 1n)]);
    ledger.takeChanges();
    // The sender of the genesis block and erin were touched by that block only.
    ledger.shrinkTo(4, 1);
    expect(held()).toEqual(['alice', 'bob', 'carol', 'dave']);
    ledger.shrinkTo(2, 2);
    expect(held()).toEqual(['bob', 'dave']);
    expect(ledger.holdsAll).toBe(false);
    ledger.shrinkTo(0, 2);
    expect(ledger.accounts.size).toBe(2);
  });

  it('knows that a lock is closed while the tables, which lack its claim, have it as open', () => {
    const chain = new SmallChain();
    const { ledger } = chain;
    const [lockId] = chain.forge('alice', [send.lock('carol', 'dave', 9n)]);
    chain.forge('bob', [send.claim('erin', lockId!)]);
    ledger.takeChanges();
    ledger.shrinkTo(4, 2);
    expect(ledger.holdsAll).toBe(false);
    expect(ledger.knowsLock(lockId!)).toBe(true);
  });

  it('refuses to create an account that should have been loaded', () => {
    const partial = new Ledger(new SmallChain().ledger.network, false);
    partial.begin(1, false);
    expect(() => partial.account(addressFor('alice'))).toThrow(LedgerInvariantError);
  });
});
