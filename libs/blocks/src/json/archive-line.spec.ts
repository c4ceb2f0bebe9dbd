import {
  mayExpire,
  type Block,
  type HtlcLock,
  type Transaction,
  type TransactionAsset,
} from '@roundhouse/chain';
import fc from 'fast-check';
import { aBlock, recordedBlocks } from '../checks/blocks.harness.js';
import { archiveLine, decodeBlock } from './raw-block.js';

const readAgain = (block: Block): Block => decodeBlock(JSON.parse(archiveLine(block)));

const hexOf = (size: fc.SizeForArbitrary, minLength: number, maxLength: number): fc.Arbitrary<string> =>
  fc.uint8Array({ minLength, maxLength, size }).map((bytes) => Buffer.from(bytes).toString('hex'));
const hash = hexOf('max', 32, 32);
const key = hash.map((hex) => `02${hex}`);
const amount = fc.bigInt({ min: 0n, max: 2n ** 63n - 1n });
const count = fc.integer({ min: 0, max: 2 ** 31 - 1 });
const uint32 = fc.integer({ min: 0, max: 2 ** 32 - 1 });
const byte = fc.integer({ min: 0, max: 255 });
const text = fc
  .oneof(
    fc.string({ unit: 'grapheme', minLength: 1 }),
    fc.constantFrom('"\\\n\u0001', 'grüße 🎉', '__proto__'),
  )
  .filter((each) => each.length <= 255 && !each.includes('\0'));
const signedKey = fc.tuple(fc.constantFrom('+', '-'), key).map(([sign, each]) => sign + each);
const lock: fc.Arbitrary<HtlcLock> = fc.record({
  secretHash: hash,
  expiration: fc.record({ type: byte, value: uint32 }),
});

/** Each type, with an asset of its form. */
const kinds: readonly fc.Arbitrary<Pick<Transaction, 'typeGroup' | 'type' | 'asset'>>[] = [
  ...(
    [
      [0, fc.constant(null)],
      [1, fc.record({ secondPublicKey: key })],
      [2, fc.record({ username: text })],
      [3, fc.record({ votes: fc.array(signedKey) })],
      [4, fc.record({ multiSignature: fc.record({ min: byte, publicKeys: fc.array(key) }) })],
      [
        4,
        fc.record({
          multiSignatureLegacy: fc.record({ min: byte, lifetime: byte, keysgroup: fc.array(signedKey) }),
        }),
      ],
      [5, fc.record({ ipfs: text })],
      [6, fc.record({ payments: fc.array(fc.record({ recipientId: text, amount })) })],
      [7, fc.constant(null)],
      [8, fc.record({ lock })],
      [9, fc.record({ lockTransactionId: hash, unlockSecret: hash })],
      [10, fc.record({ lockTransactionId: hash })],
    ] as const satisfies readonly (readonly [number, fc.Arbitrary<TransactionAsset | null>])[]
  ).map(([type, asset]) => fc.record({ typeGroup: fc.constant(1), type: fc.constant(type), asset })),
  fc.record({
    typeGroup: fc.constantFrom(0, 2, 3, 1001),
    type: fc.constantFrom(2, 3, 6, 7, 60),
    asset: fc.option(
      fc.dictionary(text, fc.oneof(text, fc.integer(), fc.boolean())).map((other) => ({ other })),
    ),
  }),
];

/** A transaction with any values that a source can give to its fields. */
const transaction: fc.Arbitrary<Transaction> = fc
  .record({
    kind: fc.oneof(...kinds),
    id: hash,
    version: fc.integer({ min: 0, max: 3 }),
    network: fc.option(byte),
    timestamp: count,
    nonce: fc.option(amount),
    senderPublicKey: key,
    recipientId: fc.option(text),
    amount,
    fee: amount,
    expiration: uint32,
    vendorField: fc.option(
      fc.oneof(
        hexOf('max', 1, 255),
        text.map((each) => Buffer.from(each.slice(0, 60)).toString('hex')),
      ),
    ),
    signature: fc.option(hexOf('max', 64, 72)),
    secondSignature: fc.option(hexOf('max', 64, 72)),
    signatures: fc.option(fc.array(hexOf('max', 65, 65), { minLength: 1, maxLength: 3 })),
  })
  .map(({ kind, timestamp, nonce, expiration, ...fields }) => {
    const { version } = fields;
    const signed = version === 1 ? null : nonce;
    return {
      ...fields,
      ...kind,
      nonce: signed,
      timestamp: signed === null ? timestamp : null,
      expiration: mayExpire(version, kind.typeGroup, kind.type) ? expiration : 0,
    };
  });

const blockId = fc.oneof(
  hash,
  fc.bigInt({ min: 0n, max: 2n ** 64n - 1n }).map((id) => id.toString()),
);

const anyBlock: fc.Arbitrary<Block> = fc.record({
  height: fc.integer({ min: 2, max: 2 ** 31 - 1 }),
  id: blockId,
  version: count,
  timestamp: count,
  previousBlock: blockId,
  numberOfTransactions: count,
  totalAmount: amount,
  totalFee: amount,
  reward: amount,
  payloadLength: count,
  payloadHash: hash,
  generatorPublicKey: key,
  blockSignature: hexOf('max', 1, 72),
  transactions: fc.array(transaction, { maxLength: 3 }),
});

describe('archiveLine', () => {
  it.each(['core-2.4', 'core-2.4-full', 'core-3.9', 'core-3.9-full'])(
    'writes each block of %s so that decodeBlock reads the same block',
    (recording) => {
      const blocks = recordedBlocks(recording);
      expect(blocks.length).toBeGreaterThan(300);
      for (const block of blocks) expect(readAgain(block)).toEqual(block);
    },
  );

  it('writes any values of any field so that decodeBlock reads the same', () => {
    fc.assert(
      fc.property(anyBlock, (block) => {
        expect(readAgain(block)).toEqual(block);
      }),
      { numRuns: 2_000 },
    );
  });

  it('writes one line, whatever a text holds', () => {
    fc.assert(
      fc.property(transaction, (each) => {
        expect(archiveLine(aBlock([each]))).not.toMatch(/[\r\n]/);
      }),
    );
  });
});
