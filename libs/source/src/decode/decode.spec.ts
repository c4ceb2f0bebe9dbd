import { decodeFrom } from './decode-from.js';
import { decodeBlock, decodeTransformedHeader } from './block.js';
import { decodeTransaction, decodeTransformedTransaction } from './transaction.js';

const KEY = `02${'ab'.repeat(32)}`;
const OTHER_KEY = `03${'cd'.repeat(32)}`;
const ID = 'ef'.repeat(32);

const transfer = {
  id: ID,
  type: 0,
  senderPublicKey: KEY,
  recipientId: 'AHXtmB84sTZ9Zd35h9Y1vfFvPE2Xzqj8ri',
  amount: '9007199254740993',
  fee: '10',
};

const block = {
  id: '17184958558311101492',
  version: 0,
  timestamp: 8,
  height: 2,
  previousBlock: '1',
  numberOfTransactions: 1,
  totalAmount: '9007199254740993',
  totalFee: '10',
  reward: '0',
  payloadLength: 32,
  payloadHash: ID,
  generatorPublicKey: KEY,
  blockSignature: '3044ab',
  transactions: [transfer],
};

const withAsset = (type: number, asset: unknown, typeGroup = 1): unknown => ({
  ...transfer,
  type,
  typeGroup,
  asset,
});

describe('decoding a transaction', () => {
  it.each([
    ['text', '9007199254740993', 9007199254740993n],
    ['a bigint', 9007199254740993n, 9007199254740993n],
    ['a number', 42, 42n],
    ['the largest text', '9223372036854775807', 9223372036854775807n],
  ])('takes an amount as %s', (_form, amount, expected) => {
    expect(decodeTransaction({ ...transfer, amount }).amount).toBe(expected);
  });

  it.each([
    ['a negative number', -1],
    ['a negative bigint', -9007199254740993n],
    ['2^63', '9223372036854775808'],
    ['a fraction', 1.5],
    ['a number that has lost digits', 2 ** 53],
    ['text that is no number', '1e3'],
    ['empty text', ''],
    ['null', null],
    ['nothing', undefined],
  ])('refuses %s as an amount and names the field', (_form, amount) => {
    expect(() => decodeTransaction({ ...transfer, amount })).toThrow(
      /^"amount" is .* an amount from 0 to 2\^63 - 1/,
    );
  });

  it('takes an absent type group as 1, and keys and hashes in lower case', () => {
    const decoded = decodeTransaction({
      ...transfer,
      id: ID.toUpperCase(),
      senderPublicKey: KEY.toUpperCase(),
    });
    expect(decoded).toMatchObject({ id: ID, senderPublicKey: KEY, typeGroup: 1, asset: null });
  });

  it.each([
    ['a username', 2, { delegate: { username: 'o.racle&3' } }, { username: 'o.racle&3' }],
    [
      'votes in their order',
      3,
      { votes: [`-${KEY}`, `+${OTHER_KEY}`] },
      { votes: [`-${KEY}`, `+${OTHER_KEY}`] },
    ],
    [
      'votes and unvotes in lists of their own',
      3,
      { votes: [OTHER_KEY], unvotes: [KEY] },
      { votes: [`-${KEY}`, `+${OTHER_KEY}`] },
    ],
    [
      'payments',
      6,
      { payments: [{ amount: 12500000000000001n, recipientId: 'A' }] },
      { payments: [{ amount: 12500000000000001n, recipientId: 'A' }] },
    ],
    [
      'a claim',
      9,
      { claim: { lockTransactionId: ID.toUpperCase(), unlockSecret: 'x' } },
      { lockTransactionId: ID },
    ],
    ['a refund', 10, { refund: { lockTransactionId: ID } }, { lockTransactionId: ID }],
    ['nothing of an IPFS hash', 5, { ipfs: 'Qm' }, null],
  ])('keeps %s of the asset', (_name, type, asset, expected) => {
    expect(decodeTransaction(withAsset(type, asset)).asset).toEqual(expected);
  });

  it('leaves the assets of other type groups alone', () => {
    expect(decodeTransaction(withAsset(3, { bridgechainRegistration: {} }, 2)).asset).toBeNull();
  });

  it.each([
    ['a vote without its sign', 3, { votes: [KEY] }, /^"asset\.votes\[0\]" is no vote/],
    ['a missing username', 2, { delegate: {} }, /^"asset\.delegate\.username" is missing/],
    ['a registration without an asset', 2, null, /^"asset" is null, but an object is due/],
    [
      'a payment with a broken amount',
      6,
      {
        payments: [
          { amount: '1', recipientId: 'A' },
          { amount: '-1', recipientId: 'A' },
        ],
      },
      /^"asset\.payments\[1\]\.amount" is "-1"/,
    ],
    ['a claim of no lock', 9, { claim: {} }, /^"asset\.claim\.lockTransactionId" is missing/],
  ])('refuses %s and names the path', (_name, type, asset, message) => {
    expect(() => decodeTransaction(withAsset(type, asset))).toThrow(message);
  });

  it('reads the recipient where 2.x shows it', () => {
    const { recipientId, ...rest } = transfer;
    expect(decodeTransformedTransaction({ ...rest, recipient: recipientId }).recipientId).toBe(recipientId);
  });
});

describe('decoding a transaction of Core 2.5 to 2.7, which shows the sender where there is no recipient', () => {
  const SENDER = transfer.recipientId;
  const shown = { id: ID, senderPublicKey: KEY, sender: SENDER, recipient: SENDER, amount: '0', fee: '10' };

  it.each<[string, object]>([
    ['a vote of version 2', { version: 2, type: 3, asset: { votes: [`+${KEY}`] } }],
    ['a second signature', { version: 1, type: 1 }],
    ['a registration', { version: 2, type: 2, asset: { delegate: { username: 'one' } } }],
    ['a multi-payment', { version: 2, type: 6, asset: { payments: [] } }],
    ['a resignation of line 2.5', { version: 2, type: 8 }],
    ['a transaction of another type group', { version: 2, type: 0, typeGroup: 2 }],
  ])('gives %s no recipient, as every other source does', (_what, own) => {
    expect(decodeTransformedTransaction({ ...shown, ...own }).recipientId).toBeNull();
  });

  it.each<[string, object]>([
    ['a transfer to itself', { version: 2, type: 0 }],
    ['a vote of version 1', { version: 1, type: 3, asset: { votes: [`+${KEY}`] } }],
    ['a lock for itself', { version: 2, type: 8, asset: { lock: { secretHash: ID } } }],
    ['a transfer to another', { version: 2, type: 0, sender: 'another' }],
  ])('leaves the recipient of %s', (_what, own) => {
    expect(decodeTransformedTransaction({ ...shown, ...own }).recipientId).toBe(SENDER);
  });
});

describe('decoding a block', () => {
  it('gives domain types', () => {
    expect(decodeBlock(block)).toMatchObject({
      height: 2,
      totalAmount: 9007199254740993n,
      reward: 0n,
      transactions: [{ amount: 9007199254740993n }],
    });
  });

  it.each([null, undefined, '', '0'])(
    'takes %p as the genesis block having no block before it',
    (previousBlock) => {
      expect(decodeBlock({ ...block, height: 1, previousBlock }).previousBlock).toBe('0');
    },
  );

  it.each([
    ['a missing previous block above the genesis block', { previousBlock: null }, '"previousBlock" is null'],
    ['height 0', { height: 0 }, '"height" is 0'],
    [
      'an id of 2^64',
      { id: '18446744073709551616' },
      '"id" is "18446744073709551616", but a block id is due',
    ],
    ['a short payload hash', { payloadHash: 'ab' }, '"payloadHash" is "ab"'],
    ['a key that is none', { generatorPublicKey: ID }, '"generatorPublicKey" is '],
    ['a timestamp as text', { timestamp: '8' }, '"timestamp" is "8"'],
    ['no list of transactions', { transactions: {} }, '"transactions" is {}, but a list is due'],
    [
      'a broken transaction',
      { transactions: [transfer, { ...transfer, fee: 1.5 }] },
      '"transactions[1].fee" is 1.5',
    ],
  ])('refuses %s and names the field', (_name, change, message) => {
    expect(() => decodeBlock({ ...block, ...change })).toThrow(message);
  });

  it('names the height and the source to whoever catches it', () => {
    expect(() => decodeFrom('http://node', 'a block', { ...block, reward: null }, decodeBlock)).toThrow(
      'http://node gave a block at height 2 in a form that cannot be right: "reward" is null, but an amount',
    );
    expect(() => decodeFrom('http://node', 'a block', 'what?', decodeBlock)).toThrow(
      'http://node gave a block in a form that cannot be right: it is "what?", but an object is due.',
    );
  });

  it('names the path in the shape of 2.x', () => {
    const { previousBlock: previous, blockSignature: signature, ...rest } = block;
    const transformed = {
      ...rest,
      previous,
      signature,
      forged: { reward: 0, fee: 10, amount: 9007199254740993n, total: 10 },
      payload: { hash: ID, length: 32 },
      generator: { publicKey: KEY },
      transactions: 1,
      timestamp: { epoch: 8, unix: 1490101208 },
    };
    const { transactions: _, ...header } = decodeBlock(block);
    expect(decodeTransformedHeader(transformed)).toEqual(header);
    expect(() =>
      decodeTransformedHeader({ ...transformed, forged: { ...transformed.forged, fee: '?' } }),
    ).toThrow('"forged.fee" is "?"');
  });
});
