import { FEE, SmallChain } from '../ledger/apply-block.harness.js';
import * as send from '../ledger/send.harness.js';
import { newAccount, type Account, type Delegate, type Lock } from '../ledger/state.js';
import { RunningSums } from './running-sums.js';
import type { StateSums } from './value-sums.js';

const anAccount = (values: Partial<Account> = {}): Account => ({
  ...newAccount('A'),
  balance: 9_007_199_254_740_993n,
  ...values,
});

const aDelegate = (values: Partial<Delegate> = {}): Delegate => ({
  number: 1,
  publicKey: '02aa',
  address: 'A',
  username: 'one',
  registeredHeight: 1,
  registeredSequence: 0,
  weight: 5n,
  lastRank: 0,
  isResigned: false,
  producedBlocks: 3,
  missedBlocks: 1,
  forgedFees: 7n,
  forgedRewards: 9n,
  ...values,
});

const aLock: Lock = { transactionId: 'ab', senderAddress: 'A', recipientAddress: 'B', amount: 4n };

const NO_FACTORS = { balanceFactor: null, nonceFactor: null };

/** The sums of a state, computed from its rows. */
const sumsOf = (accounts: readonly Account[], delegates: readonly Delegate[] = []): StateSums => {
  const sums = new RunningSums();
  for (const account of accounts) sums.addAccount({ ...account, ...NO_FACTORS });
  for (const delegate of delegates) sums.addDelegate({ ...delegate, factors: null });
  return sums.toHex();
};

describe('the sums of a state', () => {
  it('do not depend on the order of the rows', () => {
    const [one, other] = [anAccount(), anAccount({ address: 'B', balance: -3n })];
    expect(sumsOf([one, other])).toEqual(sumsOf([other, one]));
  });

  const OTHER_ACCOUNT = {
    address: 'B',
    balance: 9_007_199_254_740_994n,
    locked: 1n,
    nonce: 1,
    vote: '02aa',
    publicKey: '02aa',
    secondPublicKey: '02aa',
    multiSignature: '0102aa',
    attributes: '{}',
  };

  it.each([...Object.entries(OTHER_ACCOUNT), ['balance', -9_007_199_254_740_993n] as const])(
    'distinguish accounts by %s: %p',
    (field, value) => {
      expect(sumsOf([anAccount({ [field]: value })])).not.toEqual(sumsOf([anAccount()]));
    },
  );

  const OTHER_DELEGATE = {
    publicKey: '02ab',
    address: 'B',
    username: 'two',
    registeredHeight: 2,
    registeredSequence: 1,
    weight: 6n,
    lastRank: 1,
    isResigned: true,
    producedBlocks: 4,
    missedBlocks: 2,
    forgedFees: 8n,
    forgedRewards: 8n,
  };

  it.each(Object.entries(OTHER_DELEGATE))('distinguish delegates by %s: %p', (field, value) => {
    expect(sumsOf([], [aDelegate({ [field]: value })])).not.toEqual(sumsOf([], [aDelegate()]));
  });

  it('equal those of other versions', () => {
    const keys = { vote: '02aa', secondPublicKey: '02bb', multiSignature: '0102cc' };
    expect(sumsOf([anAccount({ ...keys, locked: 5n, nonce: 3 })]).accounts).toBe(
      '4275bb33658d3f4ecd7b8fe4da52916e',
    );
  });

  it('include an account without amounts', () => {
    expect(sumsOf([anAccount({ balance: 0n })])).not.toEqual(sumsOf([]));
  });

  it('change if an amount is moved between accounts', () => {
    const sums = [0n, 1n].map((moved) => {
      const { balance } = anAccount();
      return sumsOf([
        anAccount({ balance: balance + moved }),
        anAccount({ address: 'B', balance: balance - moved }),
      ]);
    });
    expect(sums[1]).not.toEqual(sums[0]);
  });

  it('follow each change of a row', () => {
    const account = { ...anAccount(), ...NO_FACTORS };
    const delegate = { ...aDelegate(), factors: null };
    const sums = new RunningSums(sumsOf([account], [delegate]));
    sums.removeTexts(account);
    const numbers = { balance: -5n, locked: 6n, nonce: 2 };
    const texts = { vote: '02aa', publicKey: '02bb', secondPublicKey: '02cc', multiSignature: '0102dd' };
    const changed = { ...account, ...numbers, ...texts };
    sums.addTexts(changed);
    sums.addBalance(changed, changed.balance - account.balance);
    sums.addLocked(changed, 6n);
    sums.addNonce(changed, 2n);
    sums.addValue(delegate, 'weight', -4n);
    const more = { producedBlocks: 1n, missedBlocks: 1n, forgedFees: 2n, forgedRewards: 3n, isResigned: 1n };
    for (const [field, by] of Object.entries(more)) sums.addValue(delegate, field as keyof typeof more, by);
    const values = { weight: 1n, isResigned: true, missedBlocks: 2 };
    const forged = { producedBlocks: 4, forgedFees: 9n, forgedRewards: 12n };
    expect(sums.toHex()).toEqual(sumsOf([changed], [aDelegate({ ...values, ...forged })]));
  });

  it('are those of all rows if the sums of some rows are added, and of the others if they are taken away', () => {
    const of = (...accounts: Account[]): RunningSums => {
      const sums = new RunningSums();
      for (const account of accounts) sums.addAccount({ ...account, ...NO_FACTORS });
      return sums;
    };
    const [one, other] = [anAccount({ balance: -3n }), anAccount({ address: 'B', vote: '02aa' })];
    const sums = of(one);
    sums.addSums(of(other), 1n);
    expect(sums.toHex()).toEqual(sumsOf([one, other]));
    sums.addSums(of(one), -1n);
    expect(sums.toHex()).toEqual(sumsOf([other]));
  });

  it('return to their old values if every change is reverted', () => {
    const sums = new RunningSums();
    const before = sums.toHex();
    sums.openLock(aLock);
    expect(sums.toHex().locks).not.toBe(before.locks);
    sums.closeLock(aLock);
    expect(sums.toHex()).toEqual(before);
  });
});

describe('the digests of rounds', () => {
  const busy = (chain: SmallChain, afterBlock: () => void = () => undefined): void => {
    const [id] = chain.forge('alice', [send.lock('carol', 'dave', 50n)]);
    afterBlock();
    chain.forge('bob', [{ ...send.claim('dave', id!), fee: FEE }, send.vote('erin', '+bob')]);
    afterBlock();
    chain.forge('bob', [send.pay('erin', 'new', 5n)]);
    afterBlock();
  };

  it('are made once per round, after its last block, however often `takeChanges` is called', () => {
    const [whole, cut] = [new SmallChain(), new SmallChain()];
    busy(whole);
    const { roundDigests } = whole.ledger.takeChanges();
    expect(roundDigests.map(({ round, height }) => ({ round, height }))).toEqual([
      { round: 1, height: 2 },
      { round: 2, height: 4 },
    ]);
    const inParts = [...cut.ledger.takeChanges().roundDigests];
    busy(cut, () => inParts.push(...cut.ledger.takeChanges().roundDigests));
    expect(inParts).toEqual(roundDigests);
  });

  it('contain the sums of the state', () => {
    const chain = new SmallChain();
    busy(chain);
    const { accounts, delegates } = chain.ledger;
    expect(chain.ledger.takeChanges().roundDigests.at(-1)).toMatchObject(
      sumsOf([...accounts.values()], [...delegates.values()]),
    );
  });

  it('differ if only the supply differs', () => {
    const digests = [0n, 1n].map((more) => {
      const { ledger } = new SmallChain();
      ledger.moveHead({ ...ledger.head!, supply: ledger.supply + more });
      ledger.digestRound();
      return ledger.takeChanges().roundDigests[0]!;
    });
    expect(digests[0]!.accounts).toBe(digests[1]!.accounts);
    expect(digests[0]!.digest).not.toBe(digests[1]!.digest);
  });
});
