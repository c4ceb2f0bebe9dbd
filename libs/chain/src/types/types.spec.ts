import { addressOf } from '../accounts/address.js';
import { InvalidBlockError } from '../errors/chain-error.js';
import { TransactionType } from '../transactions/transaction.js';
import { FEE, GIVEN, REWARD, SmallChain } from '../ledger/apply-block.harness.js';
import * as send from '../ledger/send.harness.js';
import { addressFor, keyOf, type Draft } from '../ledger/send.harness.js';

/** As a Core 3.9 node registered and showed it. */
const MEMBERS = [
  '0240b6c7ebdfaab7312d3f856156a11a00728cca1bb83258477aa7c137cc6fbecd',
  '039d2e8b6ce33b29682c1c1e7fc15cd680571d5cd2011f88d6478928faaeef2a19',
  '03fad0d3a753cf98d2fb6c609458023917b665abc46094ae96065cf9ac787c7bea',
];
const SHARED_KEY = '02de409a6d19c23e77555e8bf01ca454695b33ca892ca0e5cbc018a3257469b2f0';

const ofType = (type: TransactionType, asset: Draft['asset'] = null): Draft => ({
  from: 'carol',
  type,
  asset,
});
const members = (min: number, ...publicKeys: string[]): Draft =>
  ofType(TransactionType.MultiSignature, { multiSignature: { min, publicKeys } });
const IPFS = ofType(TransactionType.Ipfs, { ipfs: 'Qm' });

describe('the effects of each transaction type', () => {
  let chain: SmallChain;
  beforeEach(() => {
    chain = new SmallChain();
  });

  it('a transfer moves its amount and costs its fee, which the forger gets with the reward', () => {
    chain.forge('alice', [send.pay('carol', 'dave', 300n)]);
    expect(chain.account('carol').balance).toBe(GIVEN - 300n - FEE);
    expect(chain.account('dave').balance).toBe(GIVEN + 300n);
    expect(chain.account('alice').balance).toBe(GIVEN + FEE + REWARD);
    const forged = { producedBlocks: 1, forgedFees: FEE, forgedRewards: REWARD };
    expect(chain.delegate('alice')).toMatchObject(forged);
  });

  it('a transfer to a new address creates the account without a public key', () => {
    chain.forge('alice', [send.pay('carol', 'nobody yet', 1n)]);
    const created = chain.ledger.accounts.get(addressFor('nobody yet'));
    expect(created).toMatchObject({ balance: 1n, publicKey: null, vote: null });
  });

  it('an IPFS hash costs its fee and changes nothing else', () => {
    chain.forge('alice', [IPFS]);
    expect(chain.account('carol')).toMatchObject({ balance: GIVEN - FEE, secondPublicKey: null });
  });

  it('every transaction counts for its sender, also in the genesis block', () => {
    expect(chain.ledger.accounts.get(addressFor('genesis'))!.nonce).toBe(5);
    expect(chain.account('alice').nonce).toBe(2);
    chain.forge('alice', [send.pay('carol', 'dave', 1n), { from: 'carol', typeGroup: 1001, type: 7 }, IPFS]);
    expect(chain.account('carol').nonce).toBe(3);
    expect(chain.account('dave').nonce).toBe(0);
  });

  it('a second signature sets the second public key of the sender', () => {
    const secondPublicKey = keyOf('second');
    chain.forge('alice', [ofType(TransactionType.SecondSignature, { secondPublicKey })]);
    expect(chain.account('carol')).toMatchObject({
      balance: GIVEN - FEE,
      publicKey: keyOf('carol'),
      secondPublicKey,
      multiSignature: null,
    });
  });

  it('a multi-signature registration creates the account of the members, with its public key', () => {
    chain.forge('alice', [members(2, ...MEMBERS)]);
    expect(chain.account('carol')).toMatchObject({ balance: GIVEN - FEE, multiSignature: null });
    expect(chain.ledger.accounts.get(addressOf(SHARED_KEY, 23))).toMatchObject({
      publicKey: SHARED_KEY,
      balance: 0n,
      nonce: 0,
      secondPublicKey: null,
      multiSignature: `02${MEMBERS.join('')}`,
    });
  });

  it('a multi-signature registration of version 1 gives members to the sender', () => {
    const keysgroup = [keyOf('dave'), keyOf('erin')].map((key) => `+${key}`);
    const multiSignatureLegacy = { min: 2, lifetime: 24, keysgroup };
    chain.forge('alice', [ofType(TransactionType.MultiSignature, { multiSignatureLegacy })]);
    expect(chain.account('carol').multiSignature).toBe(`02${keyOf('dave')}${keyOf('erin')}`);
  });

  it('a registration creates a delegate with the weight of the votes that it already has', () => {
    chain.forge('alice', [send.vote('dave', '+carol'), send.register('carol', 'c')]);
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
    const voteFor = (...names: string[]) => chain.forge('alice', [send.vote('carol', ...names)]);
    const bob = chain.delegate('bob');
    voteFor('+bob');
    expect(bob.weight).toBe(2n * GIVEN - FEE);
    voteFor('-bob', '+bob');
    expect(bob.weight).toBe(2n * GIVEN - 2n * FEE);
    voteFor('-bob', '+alice');
    expect(bob.weight).toBe(GIVEN);
    expect(chain.account('carol').vote).toBe(keyOf('alice'));
    const before = chain.delegate('alice').weight;
    voteFor('-alice');
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
    chain.forge('alice', [send.register('carol')]);
    chain.forge('bob', [send.resign('bob')]);
    expect(chain.delegate('bob').isResigned).toBe(true);
    expect(chain.ledger.round?.forgingOrder).toContain(keyOf('bob'));
    chain.forge('alice');
    expect(chain.ledger.round?.forgingOrder).not.toContain(keyOf('bob'));
    expect(chain.ledger.round?.forgingOrder).toContain(keyOf('carol'));
    expect(chain.delegate('bob').weight).toBe(chain.account('bob').balance);
  });

  const locked = (): string => chain.forge('alice', [send.lock('bob', 'dave', 400n)])[0]!;

  it('a lock moves its amount to locked, which still counts for the vote', () => {
    locked();
    expect(chain.account('bob')).toMatchObject({ balance: GIVEN - 400n - FEE, locked: 400n });
    expect(chain.delegate('bob').weight).toBe(GIVEN - FEE);
    expect(chain.account('dave').balance).toBe(GIVEN);
  });

  it('a claim sent by a third party pays the recipient of the lock', () => {
    chain.forge('alice', [send.claim('erin', locked())]);
    expect(chain.account('bob')).toMatchObject({ balance: GIVEN - 400n - FEE, locked: 0n });
    expect(chain.account('dave').balance).toBe(GIVEN + 400n);
    expect(chain.account('erin').balance).toBe(GIVEN);
    expect(chain.delegate('bob').weight).toBe(GIVEN - 400n - FEE);
  });

  it('a refund sent by a third party pays the sender of the lock', () => {
    chain.forge('alice', [send.refund('erin', locked())]);
    expect(chain.account('bob')).toMatchObject({ balance: GIVEN - FEE, locked: 0n });
    expect(chain.ledger.locks.size).toBe(0);
  });

  it('a lock can be closed only once', () => {
    const closing = send.refund('bob', locked());
    expect(() => chain.forge('alice', [closing, closing])).toThrow(InvalidBlockError);
  });

  const NO_POINT = `02${'ff'.repeat(32)}`;
  /** The opposite of the key that stands for a minimum of 1. */
  const OPPOSITE = '02764071a64a853a6d3ff2dc3399171720b93507738cfb5f20501d68652c802a2b';
  const noAccount = (members: string): RegExp =>
    new RegExp(`registers members that cannot have an account: ${members}`);

  it.each<[string, Draft, RegExp]>([
    ['a taken username', send.register('carol', 'bob'), /^the username "bob" is already taken$/],
    ['a second registration', send.register('bob', 'bobby'), /registers again$/],
    ['a resignation of an account that is not a delegate', send.resign('carol'), /which is not a delegate$/],
    [
      'a claim of an unknown lock',
      send.claim('bob', 'ab'),
      /^lock ab is claimed or refunded but is not open$/,
    ],
    ['members of whom more must sign than there are', members(4, ...MEMBERS), noAccount('4 of 0240b6')],
    ['a member whose key is not a point of the curve', members(1, NO_POINT), noAccount('1 of 02ff')],
    ['members whose keys and minimum add up to no key', members(1, OPPOSITE), noAccount('1 of 027640')],
    [
      'a lock without a recipient',
      { ...send.lock('bob', 'dave', 1n), recipientId: null },
      /has no recipient$/,
    ],
    ['a vote without a public key', ofType(TransactionType.Vote), /has no "votes" in its asset$/],
  ])('%s makes the block invalid, and the error has its height', (_, transaction, problem) => {
    chain.forge('alice');
    const refused = (): unknown => chain.forge('alice', [transaction]);
    expect(refused).toThrow(InvalidBlockError);
    expect(refused).toThrow(
      expect.objectContaining({ height: 3, message: expect.stringMatching(problem) }) as Error,
    );
  });

  it('other type groups cost only their fee, whatever amount and recipient they name', () => {
    chain.forge('alice', [
      { from: 'carol', typeGroup: 2, type: 3 },
      { ...send.pay('dave', 'erin', 9n), typeGroup: 1001, type: 0 },
      { from: 'dave', type: 11 },
    ]);
    expect(chain.account('carol').balance).toBe(GIVEN - FEE);
    expect(chain.account('dave').balance).toBe(GIVEN - 2n * FEE);
    expect(chain.account('erin').balance).toBe(GIVEN);
    expect([...chain.ledger.unknownTypes]).toEqual([
      ['1001/0', 1],
      ['1/11', 1],
    ]);
  });

  it('a type that the configuration names as a transfer moves its amount', () => {
    const network = {
      ...chain.ledger.network,
      customTypes: [
        { typeGroup: 1001, type: 0, moves: 'transfer' },
        { typeGroup: 1001, type: 1, moves: 'fee' },
      ],
    } as const;
    Object.assign(chain.ledger, { network });
    chain.forge('alice', [
      { ...send.pay('dave', 'erin', 9n), typeGroup: 1001, type: 0 },
      { ...send.pay('dave', 'erin', 100n), typeGroup: 1001, type: 1 },
    ]);
    expect(chain.account('dave').balance).toBe(GIVEN - 2n * FEE - 9n);
    expect(chain.account('erin').balance).toBe(GIVEN + 9n);
  });
});
