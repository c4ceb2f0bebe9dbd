import { FEE, GIVEN, REWARD, SmallChain } from './apply-block.harness.js';
import * as send from './send.harness.js';
import { addressFor, keyOf } from './send.harness.js';
import { ALL_WEIGHTS_EVERY, LASTING, type HistoryRecords, type VoteRecords } from './history.js';

/** The numbers that the genesis block gives, after that of its sender. */
const [ALICE, BOB, CAROL, DAVE] = [2, 3, 4, 5];

const moved = (height: number, account: number, balance: bigint, locked = 0n) => ({
  height,
  account,
  balance,
  locked,
});
const period = (account: number, name: string, to: string, fromHeight: number, untilHeight = LASTING) => ({
  account,
  address: addressFor(name),
  fromHeight,
  untilHeight,
  vote: keyOf(to),
});

describe('the history of a chain', () => {
  let chain: SmallChain;
  beforeEach(() => {
    chain = new SmallChain(true);
  });

  const taken = (): HistoryRecords & VoteRecords => {
    const { history, votes } = chain.ledger.takeChanges();
    const { balances, delegates, weights, rankings } = history!;
    return { balances, delegates, weights, rankings, ended: votes!.ended, begun: votes!.begun };
  };

  it('begins with all that the genesis block creates', () => {
    const { balances, delegates, weights, ended, begun } = taken();
    expect(balances).toEqual([
      moved(1, 1, -5n * GIVEN),
      ...[ALICE, BOB, CAROL, DAVE, 6].map((account) => moved(1, account, GIVEN)),
    ]);
    expect(ended).toEqual([]);
    expect(begun).toEqual([period(ALICE, 'alice', 'alice', 1), period(BOB, 'bob', 'bob', 1)]);
    expect(delegates.map(({ height, delegate }) => `${height}: ${delegate}`)).toEqual(['1: 1', '1: 2']);
    expect(weights).toEqual([{ height: 1, delegates: [1, 2], weights: [GIVEN, GIVEN] }]);
  });

  it('is null if the ledger keeps none', () => {
    chain = new SmallChain();
    const none = { history: null, votes: null, keepsHistory: false };
    expect(chain.ledger.takeChanges()).toMatchObject(none);
    chain.forge('alice');
    expect(chain.ledger.takeRecords()).toMatchObject({ history: null });
    expect(chain.ledger.takeChanges()).toMatchObject(none);
  });

  it('has the amounts after a block once, and those of new accounts even if nothing is left', () => {
    taken();
    chain.forge('alice', [
      send.pay('carol', 'dave', 1n),
      send.pay('carol', 'dave', 2n),
      send.pay('carol', 'nobody yet', 0n),
    ]);
    expect(taken().balances).toEqual([
      moved(2, CAROL, GIVEN - 3n - 3n * FEE),
      moved(2, DAVE, GIVEN + 3n),
      moved(2, 7, 0n),
      moved(2, ALICE, GIVEN + REWARD + 3n * FEE),
    ]);
  });

  it('has nothing of an account that has the same amounts after the block', () => {
    taken();
    chain.forge('alice', [send.pay('carol', 'dave', 30n), send.pay('dave', 'carol', 20n)]);
    expect(taken().balances.map(({ account }) => account)).toEqual([CAROL, ALICE]);
  });

  it('has what a lock moves from the balance, although their sum stays', () => {
    taken();
    const [id] = chain.forge('alice', [{ ...send.lock('carol', 'dave', 500n), fee: 0n }]);
    chain.forge('bob', [send.refund('carol', id!)]);
    const { balances } = taken();
    expect(balances.filter(({ account }) => account === CAROL)).toEqual([
      moved(2, CAROL, GIVEN - 500n, 500n),
      moved(3, CAROL, GIVEN),
    ]);
    expect(balances.some(({ account }) => account === DAVE)).toBe(false);
  });

  it('has only votes that hold after a block', () => {
    taken();
    chain.forge('alice', [
      ...['+alice', '-alice', '+bob'].map((to) => send.vote('carol', to)),
      ...['+alice', '-alice'].map((to) => send.vote('dave', to)),
      ...['-bob', '+bob'].map((to) => send.vote('bob', to)),
    ]);
    const { ended, begun } = taken();
    expect(ended).toEqual([]);
    expect(begun).toEqual([period(CAROL, 'carol', 'bob', 2)]);
  });

  it.each([true, false])(
    'has each period of a vote with its end, also if they are taken apart: %s',
    (isApart) => {
      taken();
      const ends: VoteRecords[] = [];
      const forge = (generator: string, ...votes: string[]): void => {
        chain.forge(generator, [send.vote('alice', ...votes)]);
        if (isApart) ends.push(taken());
      };
      forge('alice', '-alice', '+bob');
      forge('bob', '-bob');
      forge('alice', '+carol');
      if (!isApart) ends.push(taken());
      const ended = ends.flatMap((votes) => votes.ended);
      const begun = ends.flatMap((votes) => votes.begun);
      expect(ended).toEqual(
        [2, ...(isApart ? [3] : [])].map((untilHeight) => ({ account: ALICE, untilHeight })),
      );
      expect(begun).toEqual([
        period(ALICE, 'alice', 'bob', 2, isApart ? LASTING : 3),
        period(ALICE, 'alice', 'carol', 4),
      ]);
    },
  );

  it('has the values of each delegate of which a block changes one', () => {
    taken();
    // Round 1 ends with this block.
    chain.forge('alice', [send.resign('alice')]);
    const { delegates } = taken();
    const { number } = chain.delegate('alice');
    expect(delegates).toHaveLength(2);
    expect(delegates).toContainEqual({
      delegate: number,
      height: 2,
      isResigned: true,
      producedBlocks: 1,
      missedBlocks: 0,
      forgedFees: FEE,
      forgedRewards: REWARD,
    });
    expect(delegates).toContainEqual(
      expect.objectContaining({ delegate: chain.delegate('bob').number, height: 2, missedBlocks: 1 }),
    );
  });

  it('has nothing of a delegate of which a block changes only the weight, except for that', () => {
    chain.forge('alice');
    taken();
    chain.forge('alice', [send.vote('carol', '+bob')]);
    const { delegates, weights } = taken();
    const [alice, bob] = ['alice', 'bob'].map((name) => chain.delegate(name));
    expect(delegates.map(({ delegate }) => delegate)).toEqual([alice!.number]);
    expect(weights).toEqual([
      { height: 3, delegates: [alice!.number, bob!.number], weights: [alice!.weight, bob!.weight] },
    ]);
    expect(bob!.weight).toBe(2n * GIVEN - FEE);
  });

  it('has no weights of a block that leaves all of them, and those of delegates that nobody votes for', () => {
    taken();
    chain.forge('alice', [send.vote('alice', '-alice'), send.register('carol')]);
    const [alice, carol] = ['alice', 'carol'].map((name) => chain.delegate(name).number);
    expect(taken().weights).toEqual([{ height: 2, delegates: [alice, carol], weights: [0n, 0n] }]);
    chain.forge('alice', [send.pay('carol', 'dave', 1n)]);
    expect(taken().weights).toEqual([]);
  });

  it.each([1, 7, ALL_WEIGHTS_EVERY])(
    'has all weights at each multiple of a height, however many blocks are taken together: %i',
    (batch) => {
      const rows = [...taken().weights];
      // Bob's never changes: nothing happens to those who vote for it.
      for (let height = 2; height <= 2 * ALL_WEIGHTS_EVERY + 1; height += 1) {
        chain.forge('alice');
        if (height % batch === 0) rows.push(...taken().weights);
      }
      rows.push(...taken().weights);
      const [alice, bob] = ['alice', 'bob'].map((name) => chain.delegate(name).number);
      expect(rows.map(({ height }) => height)).toEqual(
        Array.from({ length: 2 * ALL_WEIGHTS_EVERY + 1 }, (_, place) => place + 1),
      );
      for (const { height, delegates, weights } of rows) {
        const amount = GIVEN + REWARD * BigInt(height - 1);
        const isFull = height === 1 || height % ALL_WEIGHTS_EVERY === 0;
        const expected = isFull
          ? { height, delegates: [alice, bob], weights: [amount, GIVEN] }
          : { height, delegates: [alice], weights: [amount] };
        expect({ height, delegates, weights }).toEqual(expected);
      }
    },
  );

  it('has all weights at such a height even if the block changes none', () => {
    chain.forge('alice', [send.vote('alice', '-alice')]);
    while (chain.ledger.head!.height < ALL_WEIGHTS_EVERY - 1) chain.forge('alice');
    taken();
    chain.forge('alice');
    expect(taken().weights).toEqual([{ height: ALL_WEIGHTS_EVERY, delegates: [1, 2], weights: [0n, GIVEN] }]);
  });

  it('has the delegates by rank at each round end', () => {
    const numbers = (...names: string[]): number[] => names.map((name) => chain.delegate(name).number);
    const first = taken().rankings;
    expect(first).toEqual([{ height: 1, delegates: chain.ledger.ranks }]);
    chain.forge('alice', [send.pay('carol', 'bob', GIVEN / 2n)]);
    expect(taken().rankings).toEqual([{ height: 2, delegates: numbers('bob', 'alice') }]);
    chain.forge('bob', [send.resign('bob')]);
    expect(taken().rankings).toEqual([]);
    chain.forge('alice');
    expect(taken().rankings).toEqual([{ height: 4, delegates: numbers('alice') }]);
  });

  it('is taken once, with records or with changes', () => {
    expect(taken().balances).toHaveLength(6);
    chain.forge('alice');
    const changes = chain.ledger.takeChanges();
    expect(changes.keepsHistory).toBe(true);
    expect(changes.history!.balances).toEqual([moved(2, ALICE, GIVEN + REWARD)]);
    expect(taken().balances).toEqual([]);
  });
});
