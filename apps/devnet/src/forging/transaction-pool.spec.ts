import { sha256, type Transaction } from '@roundhouse/chain';
import { Draft, transactionHash, type Intent } from '@roundhouse/forging';
import { makeChain, makeSigner } from '@roundhouse/testing';
import { RejectedTransactionError } from './rejected-transaction.error.js';
import { TransactionPool } from './transaction-pool.js';

const FEE = 10_000_000n;

describe('TransactionPool', () => {
  const { state } = makeChain({}, 60);
  const { ring, sign } = makeSigner();
  let pool: TransactionPool;

  /** Accounts that sign with one key and are not delegates. */
  const plain = ring.accounts.filter(
    ({ address, publicKey }) =>
      state.accountOf(address).secondPublicKey === null &&
      !state.ledger.delegates.has(publicKey) &&
      state.accountOf(address).balance > 100n * FEE,
  );
  const [sender, recipient] = plain;
  const voter = plain.find(({ address }) => state.accountOf(address).vote !== null)!;
  const transfer = (change: Partial<Intent> = {}): Transaction =>
    sign(state, {
      sender: sender!.address,
      type: 0,
      amount: 5n,
      fee: FEE,
      recipientId: recipient!.address,
      ...change,
    });
  const withId = (transaction: Transaction): Transaction => ({
    ...transaction,
    id: transactionHash(transaction, transaction).toString('hex'),
  });
  const submit = (transaction: Transaction) => (): void => pool.submit(transaction, state);

  beforeEach(() => {
    pool = new TransactionPool();
  });

  it('accepts a signed transaction with the next nonce that the sender can pay', () => {
    const transaction = transfer();
    pool.submit(transaction, state);
    const draft = new Draft(state);
    pool.admit(draft);
    expect(draft.transactions).toEqual([transaction]);
    expect(pool.list()).toEqual([]);
  });

  it.each<[string, (good: Transaction) => Transaction, string]>([
    ['another id', (good) => ({ ...good, id: '0'.repeat(64) }), 'The id does not match the contents.'],
    ['a changed amount', (good) => withId({ ...good, amount: 6n }), 'The signatures do not verify.'],
    ['no signature', (good) => withId({ ...good, signature: null }), 'The signatures do not verify.'],
    [
      'a second signature too many',
      (good) => withId({ ...good, secondSignature: good.signature! }),
      'do not verify',
    ],
    ['another nonce', (good) => withId({ ...good, nonce: 99n }), "The nonce is 99, but the sender's next is"],
    ['another network', (good) => withId({ ...good, network: 23 }), 'network 30'],
    ['version 1', (good) => withId({ ...good, version: 1 }), 'version 2'],
    ['no recipient', (good) => ({ ...good, recipientId: null }), 'The transaction has no "recipientId".'],
    ['an unknown type group', (good) => ({ ...good, typeGroup: 50 }), 'no transactions of type group 50'],
  ])('rejects a transaction with %s', (_, change, message) => {
    expect(submit(change(transfer()))).toThrow(RejectedTransactionError);
    expect(submit(change(transfer()))).toThrow(message);
  });

  it('rejects what the sender cannot pay', () => {
    const amount = state.accountOf(sender!.address).balance - FEE + 1n;
    expect(submit(transfer({ amount }))).toThrow(`Insufficient balance in ${sender!.address}.`);
    expect(submit(transfer({ amount: amount - 1n }))).not.toThrow();
  });

  it('rejects what the sender cannot pay in addition to its waiting transactions', () => {
    const half = state.accountOf(sender!.address).balance / 2n;
    const first = transfer({ amount: half });
    pool.submit(first, state);
    const draft = new Draft(state);
    draft.add(first);
    expect(draft.nextNonceOf(sender!.address)).toBe(first.nonce! + 1n);
    expect(draft.spendableOf(sender!.address)).toBe(state.accountOf(sender!.address).balance - half - FEE);
    expect(submit(first)).toThrow('The transaction is already in the pool.');
  });

  it.each<[string, Omit<Intent, 'sender' | 'fee'>, string]>([
    ['a transfer of nothing', { type: 0, amount: 0n, recipientId: recipient!.address }, 'must be above 0'],
    ['a username that is taken', { type: 2, asset: { username: 'genesis_1' } }, 'is taken'],
    ['a username in capitals', { type: 2, asset: { username: 'ABC' } }, 'not allowed'],
    [
      'a second vote',
      { type: 3, asset: { votes: [`+${ring.genesisDelegates[0]!.publicKey}`] } },
      'already votes',
    ],
    ['an unvote of another', { type: 3, asset: { votes: [`-${sender!.publicKey}`] } }, 'Only delegates'],
    ['a resignation of an account that is not a delegate', { type: 7 }, 'not a delegate'],
    [
      'a claim of no lock',
      { type: 9, asset: { lockTransactionId: '0'.repeat(64), unlockSecret: '0'.repeat(64) } },
      'no such open lock',
    ],
    ['a refund of no lock', { type: 10, asset: { lockTransactionId: '0'.repeat(64) } }, 'no such open lock'],
    [
      'a lock that has expired',
      {
        type: 8,
        amount: 1n,
        recipientId: recipient!.address,
        asset: { lock: { secretHash: '0'.repeat(64), expiration: { type: 2, value: 60 } } },
      },
      'has already expired',
    ],
    ['a multi-payment to nobody', { type: 6, asset: { payments: [] } }, '2 to 256 payments'],
  ])('refuses %s', (_, intent, message) => {
    expect(submit(sign(state, { sender: voter.address, fee: FEE, ...intent }))).toThrow(message);
  });

  it('rejects a second vote of the same account before the next block', () => {
    const current = state.accountOf(voter.address).vote!;
    const unvote = sign(state, {
      sender: voter.address,
      type: 3,
      fee: FEE,
      asset: { votes: [`-${current}`] },
    });
    pool.submit(unvote, state);
    const again = { ...unvote, nonce: unvote.nonce! + 1n };
    expect(submit(withId(again))).toThrow('do not verify');
    const draft = new Draft(state);
    draft.add(unvote);
    expect(draft.hasSent(voter.address, 3)).toBe(true);
  });

  it('accepts the claim of a lock with its secret and rejects one with another secret', () => {
    const [id, facts] = [...state.locks].find(([, { expiration }]) => !state.isExpired(expiration))!;
    const secret = sha256(`${ring.seed} secret ${facts.senderPublicKey} ${facts.nonce}`).toString('hex');
    const claim = (unlockSecret: string): Transaction =>
      sign(state, {
        sender: sender!.address,
        type: 9,
        fee: 0n,
        asset: { lockTransactionId: id, unlockSecret },
      });
    expect(submit(claim('1'.repeat(64)))).toThrow('The secret is wrong.');
    expect(submit(claim(secret))).not.toThrow();
  });

  it('requires enough signatures of the members of a multi-signature account', () => {
    const [address] = [...state.multiSignatures.keys()].filter(
      (each) => state.accountOf(each).balance > 2n * FEE,
    );
    const good = transfer({ sender: address! });
    const [only, ...others] = good.signatures!;
    expect(submit(withId({ ...good, signatures: [only!] }))).toThrow('do not verify');
    expect(submit(withId({ ...good, signatures: [only!, only!] }))).toThrow('do not verify');
    expect(submit(withId({ ...good, signatures: [only!, ...others] }))).not.toThrow();
  });

  it('requires as many signatures as members in their registration, of which enough verify', () => {
    const publicKeys = plain.slice(3, 6).map(({ publicKey }) => publicKey);
    const asset = { multiSignature: { publicKeys, min: 2 } };
    const good = sign(state, { sender: sender!.address, type: 4, fee: FEE, asset });
    const [first, second, third] = good.signatures!;
    const forged = (signature: string): string => `${signature.slice(0, 2)}${'ab'.repeat(64)}`;
    const register = (...signatures: string[]) => submit(withId({ ...good, signatures }));
    expect(register(first!, second!)).toThrow('Not all members');
    expect(register(first!, forged(second!), forged(third!))).toThrow('do not verify');
    expect(register(first!, second!, third!)).not.toThrow();
  });

  it('drops transactions that have become invalid while waiting', () => {
    const transaction = transfer();
    pool.submit(transaction, state);
    const draft = new Draft(state);
    draft.add(transfer({ amount: 7n }));
    pool.admit(draft);
    expect(draft.has(transaction.id)).toBe(false);
    expect(pool.list()).toEqual([]);
  });
});
