import { beforeEach, describe, expect, it } from '@jest/globals';
import { addressOf } from '../../accounts/address.js';
import { InvalidBlockError } from '../../errors/chain-error.js';
import { TransactionType } from '../../transactions/transaction.js';
import { addressFor, FEE, GIVEN, keyOf, REWARD, SmallChain } from '../apply-block.harness.js';

/** As a Core 3.9 node registered and showed it. */
const multiSignature = {
  min: 2,
  publicKeys: [
    '0240b6c7ebdfaab7312d3f856156a11a00728cca1bb83258477aa7c137cc6fbecd',
    '039d2e8b6ce33b29682c1c1e7fc15cd680571d5cd2011f88d6478928faaeef2a19',
    '03fad0d3a753cf98d2fb6c609458023917b665abc46094ae96065cf9ac787c7bea',
  ],
};
const SHARED_KEY = '02de409a6d19c23e77555e8bf01ca454695b33ca892ca0e5cbc018a3257469b2f0';

describe('the effects of each transaction type', () => {
  let chain: SmallChain;
  beforeEach(() => {
    chain = new SmallChain();
  });

  it('a transfer moves its amount and costs its fee, which the forger gets with the reward', () => {
    chain.forge('alice', [{ from: 'carol', amount: 300n, recipientId: addressFor('dave') }]);
    expect(chain.account('carol').balance).toBe(GIVEN - 300n - FEE);
    expect(chain.account('dave').balance).toBe(GIVEN + 300n);
    expect(chain.account('alice').balance).toBe(GIVEN + FEE + REWARD);
    expect(chain.delegate('alice')).toMatchObject({
      producedBlocks: 1,
      forgedFees: FEE,
      forgedRewards: REWARD,
    });
  });

  it('a transfer to a new address creates the account without a public key', () => {
    const recipientId = addressFor('nobody yet');
    chain.forge('alice', [{ from: 'carol', amount: 1n, recipientId }]);
    expect(chain.ledger.accounts.get(recipientId)).toMatchObject({
      balance: 1n,
      publicKey: null,
      vote: null,
    });
  });

  it('an IPFS hash costs its fee and changes nothing else', () => {
    chain.forge('alice', [{ from: 'carol', type: TransactionType.Ipfs, asset: { ipfs: 'Qm' } }]);
    expect(chain.account('carol')).toMatchObject({ balance: GIVEN - FEE, secondPublicKey: null });
  });

  it('every transaction counts for its sender, also in the genesis block', () => {
    expect(chain.ledger.accounts.get(addressFor('genesis'))!.nonce).toBe(5);
    expect(chain.account('alice').nonce).toBe(2);
    chain.forge('alice', [
      { from: 'carol', amount: 1n, recipientId: addressFor('dave') },
      { from: 'carol', typeGroup: 1001, type: 7 },
      { from: 'carol', type: TransactionType.Ipfs, asset: { ipfs: 'Qm' } },
    ]);
    expect(chain.account('carol').nonce).toBe(3);
    expect(chain.account('dave').nonce).toBe(0);
  });

  it('a second signature sets the second public key of the sender', () => {
    const secondPublicKey = keyOf('second');
    chain.forge('alice', [
      { from: 'carol', type: TransactionType.SecondSignature, asset: { secondPublicKey } },
    ]);
    expect(chain.account('carol')).toMatchObject({
      ...{ balance: GIVEN - FEE, publicKey: keyOf('carol'), secondPublicKey, multiSignature: null },
    });
  });

  it('a multi-signature registration creates the account of the members, with its public key', () => {
    chain.forge('alice', [
      { from: 'carol', type: TransactionType.MultiSignature, asset: { multiSignature } },
    ]);
    expect(chain.account('carol')).toMatchObject({ balance: GIVEN - FEE, multiSignature: null });
    expect(chain.ledger.accounts.get(addressOf(SHARED_KEY, 23))).toMatchObject({
      ...{ publicKey: SHARED_KEY, balance: 0n, nonce: 0, secondPublicKey: null },
      multiSignature: `02${multiSignature.publicKeys.join('')}`,
    });
  });

  it('a multi-signature registration of version 1 gives members to the sender', () => {
    const keysgroup = [keyOf('dave'), keyOf('erin')].map((key) => `+${key}`);
    const multiSignatureLegacy = { min: 2, lifetime: 24, keysgroup };
    chain.forge('alice', [
      { from: 'carol', type: TransactionType.MultiSignature, asset: { multiSignatureLegacy } },
    ]);
    expect(chain.account('carol').multiSignature).toBe(`02${keyOf('dave')}${keyOf('erin')}`);
  });

  it('a registration creates a delegate with the weight of the votes that it already has', () => {
    chain.forge('alice', [
      { from: 'dave', type: TransactionType.Vote, asset: { votes: [`+${keyOf('carol')}`] } },
      { from: 'carol', type: TransactionType.DelegateRegistration, asset: { username: 'c' } },
    ]);
    expect(chain.delegate('carol')).toMatchObject({
      username: 'c',
      address: addressFor('carol'),
      weight: GIVEN - FEE,
      // alice and bob have 1 and 2.
      number: 3,
      registeredHeight: 2,
      registeredSequence: 1,
    });
  });

  it('votes apply in order: one transaction may switch to another or the same delegate, and clear the vote', () => {
    const vote = (...votes: string[]): void => {
      chain.forge('alice', [{ from: 'carol', type: TransactionType.Vote, asset: { votes } }]);
    };
    const bob = chain.delegate('bob');
    vote(`+${keyOf('bob')}`);
    expect(bob.weight).toBe(2n * GIVEN - FEE);
    vote(`-${keyOf('bob')}`, `+${keyOf('bob')}`);
    expect(bob.weight).toBe(2n * GIVEN - 2n * FEE);
    vote(`-${keyOf('bob')}`, `+${keyOf('alice')}`);
    expect(bob.weight).toBe(GIVEN);
    expect(chain.account('carol').vote).toBe(keyOf('alice'));
    const before = chain.delegate('alice').weight;
    vote(`-${keyOf('alice')}`);
    expect(chain.account('carol').vote).toBeNull();
    expect(chain.delegate('alice').weight).toBe(before - (GIVEN - 3n * FEE) + REWARD + FEE);
  });

  it('a multi-payment pays every recipient, also the sender itself and repeated ones', () => {
    const payments = [
      { recipientId: addressFor('carol'), amount: 5n },
      { recipientId: addressFor('dave'), amount: 20n },
      { recipientId: addressFor('dave'), amount: 30n },
    ];
    chain.forge('alice', [{ from: 'carol', type: TransactionType.MultiPayment, asset: { payments } }]);
    expect(chain.account('carol').balance).toBe(GIVEN - 50n - FEE);
    expect(chain.account('dave').balance).toBe(GIVEN + 50n);
  });

  it('a resigned delegate keeps its voters, is active until the round ends, and never again', () => {
    chain.forge('alice', [
      { from: 'carol', type: TransactionType.DelegateRegistration, asset: { username: 'c' } },
    ]);
    chain.forge('bob', [{ from: 'bob', type: TransactionType.DelegateResignation }]);
    expect(chain.delegate('bob').isResigned).toBe(true);
    expect(chain.ledger.round?.forgingOrder).toContain(keyOf('bob'));
    chain.forge('alice');
    expect(chain.ledger.round?.forgingOrder).not.toContain(keyOf('bob'));
    expect(chain.ledger.round?.forgingOrder).toContain(keyOf('carol'));
    expect(chain.delegate('bob').weight).toBe(chain.account('bob').balance);
  });

  const lock = { type: TransactionType.HtlcLock, amount: 400n, recipientId: addressFor('dave') };

  it('a lock moves its amount to locked, which still counts for the vote', () => {
    chain.forge('alice', [{ from: 'bob', ...lock }]);
    expect(chain.account('bob')).toMatchObject({ balance: GIVEN - 400n - FEE, locked: 400n });
    expect(chain.delegate('bob').weight).toBe(GIVEN - FEE);
    expect(chain.account('dave').balance).toBe(GIVEN);
  });

  it('a claim sent by a third party pays the recipient of the lock', () => {
    const [lockTransactionId] = chain.forge('alice', [{ from: 'bob', ...lock }]);
    chain.forge('alice', [
      { from: 'erin', fee: 0n, type: TransactionType.HtlcClaim, asset: { lockTransactionId } },
    ]);
    expect(chain.account('bob')).toMatchObject({ balance: GIVEN - 400n - FEE, locked: 0n });
    expect(chain.account('dave').balance).toBe(GIVEN + 400n);
    expect(chain.account('erin').balance).toBe(GIVEN);
    expect(chain.delegate('bob').weight).toBe(GIVEN - 400n - FEE);
  });

  it('a refund sent by a third party pays the sender of the lock', () => {
    const [lockTransactionId] = chain.forge('alice', [{ from: 'bob', ...lock }]);
    chain.forge('alice', [
      { from: 'erin', fee: 0n, type: TransactionType.HtlcRefund, asset: { lockTransactionId } },
    ]);
    expect(chain.account('bob')).toMatchObject({ balance: GIVEN - FEE, locked: 0n });
    expect(chain.ledger.locks.size).toBe(0);
  });

  it('a lock can be closed only once', () => {
    const [lockTransactionId] = chain.forge('alice', [{ from: 'bob', ...lock }]);
    const refund = { from: 'bob', type: TransactionType.HtlcRefund, asset: { lockTransactionId } };
    expect(() => chain.forge('alice', [refund, refund])).toThrow(InvalidBlockError);
  });

  it.each<[string, Parameters<SmallChain['forge']>[1], RegExp]>([
    [
      'a username that is already taken',
      [{ from: 'carol', type: TransactionType.DelegateRegistration, asset: { username: 'bob' } }],
      /^the username "bob" is already taken$/,
    ],
    [
      'a second registration',
      [{ from: 'bob', type: TransactionType.DelegateRegistration, asset: { username: 'bobby' } }],
      /registers again$/,
    ],
    [
      'a resignation of an account that is not a delegate',
      [{ from: 'carol', type: TransactionType.DelegateResignation }],
      /which is not a delegate$/,
    ],
    [
      'a claim of an unknown lock',
      [{ from: 'bob', type: TransactionType.HtlcClaim, asset: { lockTransactionId: 'ab' } }],
      /^lock ab is claimed or refunded but is not open$/,
    ],
    [
      'a multi-signature account that more members must sign for than it has',
      [
        {
          ...{ from: 'carol', type: TransactionType.MultiSignature },
          asset: { multiSignature: { ...multiSignature, min: 4 } },
        },
      ],
      /registers members that cannot have an account: 4 of 0240b6/,
    ],
    [
      'a member whose key is not a point of the curve',
      [
        {
          ...{ from: 'carol', type: TransactionType.MultiSignature },
          asset: { multiSignature: { min: 1, publicKeys: [`02${'ff'.repeat(32)}`] } },
        },
      ],
      /registers members that cannot have an account: 1 of 02ff/,
    ],
    [
      'members whose keys and minimum add up to no key',
      [
        {
          ...{ from: 'carol', type: TransactionType.MultiSignature },
          // The opposite of the key that stands for a minimum of 1.
          asset: {
            multiSignature: {
              min: 1,
              publicKeys: ['02764071a64a853a6d3ff2dc3399171720b93507738cfb5f20501d68652c802a2b'],
            },
          },
        },
      ],
      /registers members that cannot have an account: 1 of 027640/,
    ],
    ['a lock without a recipient', [{ from: 'bob', ...lock, recipientId: null }], /has no recipient$/],
    [
      'a vote without a public key',
      [{ from: 'bob', type: TransactionType.Vote }],
      /has no "votes" in its asset$/,
    ],
  ])('%s makes the block invalid, and the error has its height', (_, transactions, problem) => {
    chain.forge('alice');
    let refusal: unknown;
    try {
      chain.forge('alice', transactions);
    } catch (error) {
      refusal = error;
    }
    expect(refusal).toBeInstanceOf(InvalidBlockError);
    expect(refusal).toMatchObject({ height: 3, message: expect.stringMatching(problem) });
  });

  it('other type groups cost their fee, and move their amount if they name a recipient', () => {
    chain.forge('alice', [
      { from: 'carol', typeGroup: 2, type: 3 },
      { from: 'dave', typeGroup: 1001, type: 0, amount: 9n, recipientId: addressFor('erin') },
      { from: 'dave', type: 11 },
    ]);
    expect(chain.account('carol').balance).toBe(GIVEN - FEE);
    expect(chain.account('dave').balance).toBe(GIVEN - 2n * FEE - 9n);
    expect(chain.account('erin').balance).toBe(GIVEN + 9n);
    expect([...chain.ledger.unknownTypes]).toEqual([
      ['1001/0', 1],
      ['1/11', 1],
    ]);
  });
});
