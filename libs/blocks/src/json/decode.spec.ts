import type { Transaction } from '@roundhouse/chain';
import { aTransaction } from '../checks/blocks.harness.js';
import { storedBytes } from '../transactions/other-bytes.js';
import { decodeBlock, decodeTransaction } from './raw-block.js';
import { decodeTransformedTransaction } from './transformed.js';

const KEY = `02${'ab'.repeat(32)}`;
const OTHER_KEY = `03${'cd'.repeat(32)}`;
const ID = 'ef'.repeat(32);
const ADDRESS = 'AHXtmB84sTZ9Zd35h9Y1vfFvPE2Xzqj8ri';

const transfer = {
  id: ID,
  type: 0,
  senderPublicKey: KEY,
  recipientId: ADDRESS,
  amount: '9007199254740993',
  fee: '10',
};

const block = {
  id: '17184958558311101492',
  version: 0,
  timestamp: 8,
  height: 2,
  previousBlock: '1',
  totalAmount: '9007199254740993',
  totalFee: '10',
  reward: '0',
  numberOfTransactions: 1,
  payloadLength: 32,
  payloadHash: ID,
  generatorPublicKey: KEY,
  blockSignature: '3044ab',
  transactions: [transfer],
};

const withAsset = (type: number, asset: unknown): unknown => ({ ...transfer, type, typeGroup: 1, asset });

const MEMBERS = { min: 1, lifetime: 24, keysgroup: [`+${KEY}`] };
const VOTES = [`-${KEY}`, `+${OTHER_KEY}`];

describe('decoding a transaction', () => {
  it.each([
    ['a username', 2, { delegate: { username: 'o.racle&3' } }, { username: 'o.racle&3' }],
    ['votes and unvotes in separate lists', 3, { votes: [OTHER_KEY], unvotes: [KEY] }, { votes: VOTES }],
    ['members of version 1', 4, { multiSignatureLegacy: MEMBERS }, { multiSignatureLegacy: MEMBERS }],
    [
      'members of version 1, as Core 2.0 to 2.3 named them',
      4,
      { multisignature: MEMBERS },
      { multiSignatureLegacy: MEMBERS },
    ],
  ])('keeps %s of the asset', (_name, type, asset, expected) => {
    expect(decodeTransaction(withAsset(type, asset)).asset).toEqual(expected);
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
    [1, 0],
    [1, 7],
    [2, 1],
  ])('ignores an asset of type group %i, type %i, which signs none', (typeGroup, type) => {
    expect(decodeTransaction({ ...transfer, typeGroup, type, asset: { unsigned: 1 } }).asset).toBeNull();
  });

  it.each([
    ['by username', { votes: ['+gym'] }, /^"asset\.votes\[0\]" .*; votes by username cannot be indexed$/],
    ['with shares', { votes: { gym: 6, sun: 4 } }, /^"asset\.votes" is \{.*\}, but must be a list$/],
    ['without an asset', null, /^"asset" is null, but must be an object/],
  ])('refuses a vote %s and names the path', (_name, asset, message) => {
    expect(() => decodeTransaction(withAsset(3, asset))).toThrow(message);
  });

  it('takes any 33 bytes as a second key, as nodes do', () => {
    const asset = { signature: { publicKey: '07'.repeat(33) } };
    expect(decodeTransaction(withAsset(1, asset)).asset).toEqual({ secondPublicKey: '07'.repeat(33) });
    const short = { signature: { publicKey: '02'.repeat(32) } };
    expect(() => decodeTransaction(withAsset(1, short))).toThrow(/^"asset\.signature\.publicKey" is /);
  });

  it.each<[name: string, change: Partial<Transaction>, path: string]>([
    ['a sender', { senderPublicKey: `05${'ab'.repeat(32)}` }, 'senderPublicKey'],
    ['an amount', { amount: 2n ** 63n }, 'amount'],
    ['a fee', { fee: 2n ** 64n - 1n }, 'fee'],
    ['a nonce', { nonce: 2n ** 63n }, 'nonce'],
    ['a timestamp', { nonce: null, timestamp: 2 ** 31 }, 'timestamp'],
    ['a username', { type: 2, asset: { username: 'a\0b' } }, 'asset.delegate.username'],
    ['a vote', { type: 3, asset: { votes: [`+${'07'.repeat(33)}`] } }, 'asset.votes[0]'],
    [
      'a payment',
      { type: 6, asset: { payments: [{ recipientId: ADDRESS, amount: 2n ** 63n }] } },
      'asset.payments[0].amount',
    ],
  ])(
    'refuses %s in the bytes of a node that no table can hold, and names the path',
    (_name, change, path) => {
      const bytes = storedBytes(aTransaction(ID, { typeGroup: 1, recipientId: ADDRESS, ...change }), 23);
      const typeGroup = change.nonce === null ? {} : { typeGroup: 1 };
      const row = { id: ID, ...typeGroup, serialized: bytes.toString('hex') };
      expect(() => decodeTransaction(row)).toThrow(`"serialized.${path}" is `);
    },
  );

  it('of Core 2.5, which shows the sender if there is no recipient, keeps that of a vote of version 1 only', () => {
    const shown = {
      id: ID,
      senderPublicKey: KEY,
      sender: ADDRESS,
      recipient: ADDRESS,
      amount: '0',
      fee: '10',
      timestamp: { epoch: 7 },
    };
    const vote = { ...shown, version: 1, type: 3, asset: { votes: [`+${KEY}`] } };
    expect(decodeTransformedTransaction(vote).recipientId).toBe(ADDRESS);
    expect(decodeTransformedTransaction({ ...vote, version: 2 }).recipientId).toBeNull();
    const resignation = { ...shown, version: 2, type: 8 };
    expect(decodeTransformedTransaction(resignation).recipientId).toBeNull();
  });
});

describe('decoding a block', () => {
  it.each([null, undefined, '', '0', '0'.repeat(64)])(
    'reads a previous block of %p as none for the genesis block',
    (previousBlock) => {
      expect(decodeBlock({ ...block, height: 1, previousBlock }).previousBlock).toBe('0');
    },
  );

  it('refuses no list of transactions and names the field', () => {
    const wrong = { ...block, transactions: {} };
    expect(() => decodeBlock(wrong)).toThrow('"transactions" is {}, but must be a list');
  });
});
