import type { BlockHeader, Transaction, TransactionAsset } from '@roundhouse/chain';

const KEY = `02${'ab'.repeat(32)}`;
const HASH = 'ef'.repeat(32);
const LONGEST = 'a'.repeat(255);

/** A transfer in the form of an archive line. */
export const TRANSACTION = {
  id: HASH,
  type: 0,
  typeGroup: 1,
  amount: '1',
  fee: '1',
  senderPublicKey: KEY,
  recipientId: 'AHXtmB84sTZ9Zd35h9Y1vfFvPE2Xzqj8ri',
};

/** A block in the form of an archive line. */
export const BLOCK = {
  id: '1',
  version: 0,
  timestamp: 8,
  height: 77,
  previousBlock: '1',
  numberOfTransactions: 1,
  totalAmount: '1',
  totalFee: '1',
  reward: '0',
  payloadLength: 32,
  payloadHash: HASH,
  generatorPublicKey: KEY,
  blockSignature: '3044ab',
  transactions: [TRANSACTION],
};

/**
 * Values for one field. `taken` are at its limits and accepted. `refused` have the wrong type, or are larger than its
 * column can hold.
 */
interface Border {
  readonly taken: readonly unknown[];
  readonly refused: readonly unknown[];
}

/** A column of type `integer`. */
const integer = (from: number): Border => ({
  taken: [from, 2 ** 31 - 1],
  refused: [from - 1, 2 ** 31, 3_000_000_000, 2 ** 32, 2 ** 53, 0.5, '1', true, null, undefined, {}, []],
});

/** A column of type `bigint`. */
const AMOUNT: Border = {
  taken: [0, '0', '9223372036854775807', 2 ** 53],
  refused: [
    '9223372036854775808',
    '10000000000000000000',
    '-1',
    -1,
    -(2 ** 60),

    0.5,
    '0.5',
    '1e3',
    ' 1',
    '',
    true,
    null,
    undefined,
    {},
  ],
};

const HASHES: Border = {
  taken: [HASH],
  refused: [`${HASH}00`, HASH.slice(2), `${HASH.slice(1)}g`, '', 1, null, undefined, {}],
};

const KEYS: Border = {
  taken: [KEY],
  refused: [`${KEY}00`, KEY.slice(2), `04${KEY.slice(2)}`, '', 1, null, undefined, {}],
};

const BLOCK_IDS: Border = {
  taken: ['1', '18446744073709551615', HASH],
  refused: ['18446744073709551616', '-1', 'ab', `${HASH}00`, 1, {}, '', null, undefined],
};

const optional = ({ taken, refused }: Border): Border => ({
  taken: [...taken, null, undefined],
  refused: refused.filter((value) => value !== null && value !== undefined && value !== ''),
});

const HEX: Border = { taken: ['ab'], refused: ['abc', 'zz', '', 1, null, undefined, {}] };

const TEXT_REFUSED = [`${LONGEST}a`, 'a\u0000', '\ud800', '\udc00a', 1, {}, []];

/** Every column of a block that comes from a source. */
export const BLOCK_BORDERS: Readonly<Record<keyof BlockHeader, Border>> = {
  height: integer(1),
  id: BLOCK_IDS,
  version: integer(0),
  timestamp: integer(0),
  previousBlock: BLOCK_IDS,
  numberOfTransactions: integer(0),
  totalAmount: AMOUNT,
  totalFee: AMOUNT,
  reward: AMOUNT,
  payloadLength: integer(0),
  payloadHash: HASHES,
  generatorPublicKey: KEYS,
  blockSignature: HEX,
};

/** Every column of a transaction that comes from a source, except the asset, which has columns of its own. */
export const TRANSACTION_BORDERS: Readonly<Record<Exclude<keyof Transaction, 'asset'>, Border>> = {
  id: HASHES,
  version: optional(integer(0)),
  network: { taken: [0, 255, null, undefined], refused: [-1, 256, 0.5, '1', true, {}] },
  type: integer(0),
  typeGroup: optional(integer(0)),
  timestamp: optional(integer(0)),
  nonce: optional(AMOUNT),
  senderPublicKey: KEYS,
  recipientId: { taken: ['a', 'ü', '🎉', LONGEST, null, undefined], refused: TEXT_REFUSED },
  amount: AMOUNT,
  fee: AMOUNT,
  expiration: {
    taken: [0, 2 ** 32 - 1, null, undefined],
    refused: [-1, 2 ** 32, 0.5, '1', true, {}],
  },
  vendorField: { taken: [null, undefined], refused: ['a'.repeat(256), 'ä'.repeat(128), 1, {}, []] },
  signature: optional(HEX),
  secondSignature: optional(HEX),
  signatures: { taken: [[`00${'ab'.repeat(64)}`], null, undefined], refused: ['ab', {}, 1] },
};

/**
 * The fields of assets that change accounts: the path to the field, the transaction's type, `of`, which returns an asset
 * with a value in this field, and `at`, which returns the value that was read.
 */
export const ASSET_BORDERS: readonly (Border & {
  readonly path: string;
  readonly type: number;
  readonly of: (value: unknown) => unknown;
  readonly at: (asset: TransactionAsset) => unknown;
})[] = [
  {
    path: 'asset.delegate.username',
    type: 2,
    of: (username) => ({ delegate: { username } }),
    at: ({ username }) => username,
    taken: ['a', 'ü', '🎉', LONGEST],
    refused: [...TEXT_REFUSED, '', null, undefined],
  },
  {
    path: 'asset.votes[0]',
    type: 3,
    of: (vote) => ({ votes: [vote] }),
    at: ({ votes }) => votes![0],
    taken: [`+${KEY}`, `-${KEY}`],
    refused: [KEY, `+${HASH}`, `+${KEY}00`, '+', '', 1, null, undefined, {}],
  },
  {
    path: 'asset.payments[0].amount',
    type: 6,
    of: (amount) => ({ payments: [{ recipientId: 'a', amount }] }),
    at: ({ payments }) => payments![0]!.amount,
    ...AMOUNT,
  },
  {
    path: 'asset.payments[0].recipientId',
    type: 6,
    of: (recipientId) => ({ payments: [{ recipientId, amount: '1' }] }),
    at: ({ payments }) => payments![0]!.recipientId,
    taken: ['a', LONGEST],
    refused: [...TEXT_REFUSED, '', null, undefined],
  },
  {
    path: 'asset.claim.lockTransactionId',
    type: 9,
    of: (lockTransactionId) => ({ claim: { lockTransactionId, unlockSecret: HASH } }),
    at: ({ lockTransactionId }) => lockTransactionId,
    ...HASHES,
  },
  {
    path: 'asset.refund.lockTransactionId',
    type: 10,
    of: (lockTransactionId) => ({ refund: { lockTransactionId } }),
    at: ({ lockTransactionId }) => lockTransactionId,
    ...HASHES,
  },
];
