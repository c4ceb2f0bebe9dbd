import { InvalidBlockError, UnknownClaimsError } from '../errors/chain-error.js';
import { forgerAt } from '../rounds/rounds.js';
import { SmallChain } from './apply-block.harness.js';
import * as send from './send.harness.js';
import { keyOf, type Draft } from './send.harness.js';
import { applyBlock } from './apply-block.js';
import { admitForger, type ForgerRule } from './slots.js';

/** Two of three delegates are active: bob, for whom erin votes, and alice or carol. */
class ThreeDelegates extends SmallChain {
  private locks: string[] = [];

  constructor(later: readonly { readonly height: number; readonly activeDelegates?: number }[] = []) {
    super(false, 2, later);
    this.forge('alice', [send.register('carol')]);
    const votes = [send.vote('carol', '+carol'), send.vote('erin', '+bob')];
    const locks = [100_000n, 100_001n].map((amount) => send.lock('dave', 'erin', amount));
    this.locks = this.forge('bob', [...votes, ...locks]).slice(2);
  }

  /** Carol claims erin's locks: a running node takes them from bob's weight and adds them to carol's. */
  claims(): Draft[] {
    return this.locks.map((id) => send.claim('carol', id));
  }

  /** The keys of those who have the next slots, by the list in force. */
  forgers(): string[] {
    const { ledger } = this;
    const slot = ledger.slotOf({ height: ledger.head!.height, timestamp: ledger.head!.timestamp });
    return [1, 2].map((after) => forgerAt(ledger.round!, slot + after));
  }

  /** Forges the next block in a slot of this delegate by the list at `index` of all that are possible. */
  admit(index: number, rule?: ForgerRule): string {
    const { ledger } = this;
    const list = [ledger.round!, ...ledger.candidates][index]!;
    const timestamp = ledger.head!.timestamp + 2;
    const height = ledger.head!.height + 1;
    const key = forgerAt(list, ledger.slotOf({ height, timestamp }));
    this.admitBy(key, timestamp, rule);
    return key;
  }

  admitBy(key: string, timestamp = this.ledger.head!.timestamp + 2, rule?: ForgerRule): void {
    const block = { ...this.next('nobody', timestamp), generatorPublicKey: key };
    admitForger(this.ledger, block, rule);
    applyBlock(this.ledger, block, true);
  }

  get members(): string[] {
    return [...this.ledger.round!.forgingOrder].sort();
  }
}

const keys = (...names: string[]): string[] => names.map(keyOf).sort();

describe('the forgers of a round', () => {
  it('are those with the largest weights of a running node, which shown weights and ranks are not', () => {
    const chain = new ThreeDelegates();
    expect(chain.members).toEqual(keys('alice', 'bob'));
    chain.forge('alice', chain.claims());
    expect(chain.members).toEqual(keys('bob', 'carol'));
    const [alice, bob, carol] = ['alice', 'bob', 'carol'].map((name) => chain.delegate(name));
    expect(carol!.weight).toBeLessThan(alice!.weight);
    const { ledger } = chain;
    expect(ledger.forgingWeight(carol!) - carol!.weight).toBe(200_001n);
    expect(ledger.forgingWeight(bob!) - bob!.weight).toBe(-200_001n);
    expect(ledger.ranks).toEqual([bob!.number, alice!.number, carol!.number]);
    for (let blocks = 0; blocks < 6; blocks += 1) chain.admit(0);
    expect(ledger.takeChanges()).toMatchObject({ roundRevisions: [], misplacedBlocks: [] });
  });

  it('do not depend on claims that move no weight', () => {
    const chain = new ThreeDelegates();
    const [own, other] = chain.claims();
    chain.forge('alice', [
      { ...own!, from: 'erin' },
      { ...other!, from: 'bob' },
    ]);
    expect(chain.ledger.takeChanges().claimDrifts).toEqual([]);
  });

  it('are those by the right weights if the nodes have restarted since, and so in the next rounds', () => {
    const chain = new ThreeDelegates();
    chain.forge('alice', chain.claims());
    chain.ledger.takeChanges();
    const clean = chain.ledger.candidates.findIndex(({ forgottenClaims }) => forgottenClaims === 2) + 1;
    expect(chain.admit(clean)).toBe(keyOf('alice'));
    expect(chain.members).toEqual(keys('alice', 'bob'));
    const { height } = chain.ledger.head!;
    expect(chain.ledger.takeChanges().roundRevisions).toMatchObject([
      { height, round: chain.ledger.round!.round, forgottenClaims: 2, firstSlot: 0 },
    ]);
    expect(chain.ledger.claims.forgotten).toBe(2);
    for (let blocks = 0; blocks < 5; blocks += 1) chain.admit(0);
    expect(chain.members).toEqual(keys('alice', 'bob'));
    expect(chain.ledger.takeChanges().roundRevisions).toEqual([]);
  });

  it('are decided by all blocks of the round', () => {
    const chain = new ThreeDelegates();
    chain.forge('alice', chain.claims());
    const lists = [chain.ledger.round!, ...chain.ledger.candidates];
    const timestamp = chain.ledger.head!.timestamp + 4;
    const slot = chain.ledger.slotOf({ height: chain.ledger.head!.height + 1, timestamp });
    expect(lists.map((list) => forgerAt(list, slot))).toEqual([keyOf('bob'), keyOf('bob')]);
    chain.admitBy(keyOf('bob'), timestamp);
    expect(chain.ledger.round!.forgottenClaims).toBe(0);
    chain.admitBy(keyOf('alice'));
    expect(chain.ledger.takeChanges().roundRevisions).toMatchObject([{ forgottenClaims: 2 }]);
  });

  it('refuse a block by anybody else, and the sentence says what was tried', () => {
    const chain = new ThreeDelegates();
    chain.forge('alice', chain.claims());
    expect(() => chain.admitBy(keyOf('erin'))).toThrow(/belongs to 02.*list.* of forgers(?!.*FORGERS)/);
    expect(() => chain.admitBy(keyOf('dave'), undefined, 'active')).toThrow(InvalidBlockError);
  });

  it('conclude nothing if an earlier version has not counted the claims', () => {
    const chain = new ThreeDelegates();
    chain.ledger.knowsClaims = false;
    chain.forge('alice', chain.claims());
    expect(chain.members).toEqual(keys('alice', 'bob'));
    expect(() => chain.admitBy(keyOf('carol'))).toThrow(UnknownClaimsError);
    expect(chain.ledger.takeChanges()).toMatchObject({ claimDrifts: [], knowsClaims: false });
  });
});

describe('a block whose forger has its slot in no list', () => {
  const wrongForger = (chain: ThreeDelegates): string => chain.forgers()[1]!;

  it('is refused, unless blocks of members of a list are accepted: three in a round', () => {
    // A round of four blocks, although there are only three delegates.
    const chain = new ThreeDelegates([{ height: 5, activeDelegates: 4 }]);
    chain.forge('alice');
    expect(() => chain.admitBy(wrongForger(chain))).toThrow(/FORGERS=active accepts it$/);
    for (let blocks = 0; blocks < 3; blocks += 1) chain.admitBy(wrongForger(chain), undefined, 'active');
    const [height, round] = [chain.ledger.head!.height, chain.ledger.round!.round];
    expect(() => chain.admitBy(wrongForger(chain), undefined, 'active')).toThrow(/(?<!accepts it)$/);
    expect(chain.ledger.takeChanges().misplacedBlocks).toEqual(
      [2, 1, 0].map((below) => ({ height: height - below, round })),
    );
  });

  it('is accepted if it is by a member of a list, resigned since or not, and is no evidence', () => {
    const chain = new ThreeDelegates();
    chain.forge('alice', [send.resign('alice')]);
    const { height } = chain.ledger.head!;
    chain.ledger.takeChanges();
    expect(chain.members).toEqual(keys('bob', 'carol'));
    chain.admitBy(wrongForger(chain), undefined, 'active');
    expect(chain.ledger.takeChanges().misplacedBlocks).toEqual([
      { height: height + 1, round: expect.any(Number) },
    ]);
    expect(() => chain.admitBy(keyOf('alice'), undefined, 'active')).toThrow(InvalidBlockError);
  });
});

describe('the order after the number of active delegates has changed', () => {
  const changed = (): ThreeDelegates => {
    const chain = new ThreeDelegates([{ height: 5, activeDelegates: 3 }]);
    chain.forge('alice');
    return chain;
  };

  it.each(['Core 3', 'Core 2'])('is that of %s if its first block says so, from then on', (core) => {
    const chain = changed();
    // The head has slot 4, so Core 3 counts from slot 5, which is no multiple of 3.
    expect(chain.ledger.round).toMatchObject({ firstHeight: 5, firstSlot: 5 });
    expect(chain.ledger.candidates).toMatchObject([{ firstSlot: 0 }]);
    chain.admit(core === 'Core 3' ? 0 : 1);
    const firstSlot = core === 'Core 3' ? 5 : 0;
    for (let blocks = 0; blocks < 6; blocks += 1) {
      expect(chain.ledger.round).toMatchObject({ firstSlot });
      chain.admit(0);
    }
    expect(chain.ledger.candidates).toEqual([]);
    expect(chain.ledger.takeChanges().roundRevisions).toHaveLength(core === 'Core 3' ? 0 : 1);
  });
});
