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
  ])('accepts an amount as %s', (_form, amount, expected) => {
    expect(decodeTransaction({ ...transfer, amount }).amount).toBe(expected);
  });

  it.each([
    ['a negative number', -1],
    ['a negative bigint', -9007199254740993n],
    ['2^63', '9223372036854775808'],
    ['a fraction', 1.5],
    ['a number that has lost digits', 2 ** 53],
    ['text that is not a number', '1e3'],
    ['empty text', ''],
    ['null', null],
    ['nothing', undefined],
  ])('refuses %s as an amount and names the field', (_form, amount) => {
    expect(() => decodeTransaction({ ...transfer, amount })).toThrow(
      /^"amount" is .* an amount from 0 to 2\^63 - 1/,
    );
  });

  it('reads a missing type group as 1, and keys and hashes in lower case', () => {
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
      'votes and unvotes in separate lists',
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
      { claim: { lockTransactionId: ID.toUpperCase(), unlockSecret: ID } },
      { lockTransactionId: ID, unlockSecret: ID },
    ],
    ['a refund', 10, { refund: { lockTransactionId: ID } }, { lockTransactionId: ID }],
    ['an IPFS hash', 5, { ipfs: 'Qm' }, { ipfs: 'Qm' }],
    ['a second key', 1, { signature: { publicKey: KEY } }, { secondPublicKey: KEY }],
    [
      'members',
      4,
      { multiSignature: { min: 1, publicKeys: [KEY] } },
      { multiSignature: { min: 1, publicKeys: [KEY] } },
    ],
    [
      'members of version 1',
      4,
      { multiSignatureLegacy: { min: 1, lifetime: 24, keysgroup: [`+${KEY}`] } },
      { multiSignatureLegacy: { min: 1, lifetime: 24, keysgroup: [`+${KEY}`] } },
    ],
    [
      'members of version 1, as Core 2.0 to 2.3 named them',
      4,
      { multisignature: { min: 1, lifetime: 24, keysgroup: [`+${KEY}`] } },
      { multiSignatureLegacy: { min: 1, lifetime: 24, keysgroup: [`+${KEY}`] } },
    ],
    [
      'a lock',
      8,
      { lock: { secretHash: ID, expiration: { type: 2, value: 400 } } },
      { lock: { secretHash: ID, expiration: { type: 2, value: 400 } } },
    ],
  ])('keeps %s of the asset', (_name, type, asset, expected) => {
    expect(decodeTransaction(withAsset(type, asset)).asset).toEqual(expected);
  });

  it('keeps the assets of other type groups as they are', () => {
    const asset = { bridgechainRegistration: { ports: { b: 1, a: 2 } } };
    expect(JSON.stringify(decodeTransaction(withAsset(3, asset, 2)).asset)).toBe(
      JSON.stringify({ other: asset }),
    );
  });

  it.each([
    ['a multi-payment', 7, { payments: [] }, { typeGroup: 1, type: 6 }],
    ['a resignation', 8, null, { typeGroup: 1, type: 7 }],
    ['a timelock transfer, which no later line has,', 6, null, { typeGroup: 0, type: 6 }],
    ['an IPFS transaction', 5, { ipfs: 'Qm' }, { typeGroup: 1, type: 5 }],
  ])('recognises %s by its type number in Core 2.4', (_name, type, asset, expected) => {
    expect(decodeTransaction({ ...transfer, type, asset })).toMatchObject(expected);
    const numbered = { ...transfer, version: 2, nonce: '1', type: 9 };
    const claim = { claim: { lockTransactionId: ID, unlockSecret: ID } };
    expect(decodeTransaction({ ...numbered, asset: claim })).toMatchObject({ typeGroup: 1, type: 9 });
  });

  it.each([
    [
      'a vote by username',
      3,
      { votes: ['+gym'] },
      /^"asset\.votes\[0\]" .*; votes by username cannot be indexed$/,
    ],
    [
      'a vote with shares',
      3,
      { votes: { gym: 60, sun: 40 } },
      /^"asset\.votes" is \{.*\}, but must be a list$/,
    ],
    ['a vote without its sign', 3, { votes: [KEY] }, /^"asset\.votes\[0\]" is not a vote/],
    ['a missing username', 2, { delegate: {} }, /^"asset\.delegate\.username" is missing/],
    ['a registration without an asset', 2, null, /^"asset" is null, but must be an object/],
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
    ['a claim without a lock', 9, { claim: {} }, /^"asset\.claim\.lockTransactionId" is missing/],
  ])('refuses %s and names the path', (_name, type, asset, message) => {
    expect(() => decodeTransaction(withAsset(type, asset))).toThrow(message);
  });

  it('reads the recipient from the field of 2.x', () => {
    const { recipientId, ...rest } = transfer;
    const shown = { ...rest, recipient: recipientId, timestamp: { epoch: 7 } };
    expect(decodeTransformedTransaction(shown)).toMatchObject({ recipientId, timestamp: 7, network: null });
  });
});

describe('decoding a transaction of Core 2.5 to 2.7, which shows the sender if there is no recipient', () => {
  const SENDER = transfer.recipientId;
  const shown = {
    id: ID,
    senderPublicKey: KEY,
    sender: SENDER,
    recipient: SENDER,
    amount: '0',
    fee: '10',
    timestamp: { epoch: 7 },
  };
  const lock = { secretHash: ID, expiration: { type: 2, value: 400 } };

  it.each<[string, object]>([
    ['a vote of version 2', { version: 2, type: 3, asset: { votes: [`+${KEY}`] } }],
    ['a second signature', { version: 1, type: 1, asset: { signature: { publicKey: KEY } } }],
    ['a registration', { version: 2, type: 2, asset: { delegate: { username: 'one' } } }],
    ['a multi-payment', { version: 2, typeGroup: 1, nonce: '1', type: 6, asset: { payments: [] } }],
    ['a resignation of line 2.5', { version: 2, type: 8 }],
    ['a transaction of another type group', { version: 2, type: 0, typeGroup: 2 }],
  ])('returns no recipient for %s, as every other source does', (_what, own) => {
    expect(decodeTransformedTransaction({ ...shown, ...own }).recipientId).toBeNull();
  });

  it.each<[string, object]>([
    ['a transfer to itself', { version: 2, type: 0 }],
    ['a vote of version 1', { version: 1, type: 3, asset: { votes: [`+${KEY}`] } }],
    ['a lock for itself', { version: 2, typeGroup: 1, nonce: '1', type: 8, asset: { lock } }],
    ['a transfer to another', { version: 2, type: 0, sender: 'another' }],
  ])('keeps the recipient of %s', (_what, own) => {
    expect(decodeTransformedTransaction({ ...shown, ...own }).recipientId).toBe(SENDER);
  });
});

describe('decoding a block', () => {
  it('returns domain types', () => {
    expect(decodeBlock(block)).toMatchObject({
      height: 2,
      totalAmount: 9007199254740993n,
      reward: 0n,
      transactions: [{ amount: 9007199254740993n }],
    });
  });

  it.each([null, undefined, '', '0', '0'.repeat(64)])(
    'reads a previous block of %p as none for the genesis block',
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
      '"id" is "18446744073709551616", but must be a block id',
    ],
    ['a short payload hash', { payloadHash: 'ab' }, '"payloadHash" is "ab"'],
    ['an invalid key', { generatorPublicKey: ID }, '"generatorPublicKey" is '],
    ['a timestamp as text', { timestamp: '8' }, '"timestamp" is "8"'],
    ['no list of transactions', { transactions: {} }, '"transactions" is {}, but must be a list'],
    [
      'a broken transaction',
      { transactions: [transfer, { ...transfer, fee: 1.5 }] },
      '"transactions[1].fee" is 1.5',
    ],
  ])('refuses %s and names the field', (_name, change, message) => {
    expect(() => decodeBlock({ ...block, ...change })).toThrow(message);
  });

  it('names the height and the source in its error', () => {
    expect(() => decodeFrom('http://node', 'a block', { ...block, reward: null }, decodeBlock)).toThrow(
      'http://node returned a block at height 2 in an invalid form: "reward" is null, but must be an amount',
    );
    expect(() => decodeFrom('http://node', 'a block', 'what?', decodeBlock)).toThrow(
      'http://node returned a block in an invalid form: it is "what?", but must be an object.',
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
