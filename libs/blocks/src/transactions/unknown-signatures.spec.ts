import { describe, expect, it } from '@jest/globals';
import { secp256k1 } from '@noble/curves/secp256k1.js';
import { sha256, TransactionType, type Transaction } from '@roundhouse/chain';
import { recordedBlocks } from '../checks/blocks.harness.js';
import { storedBytes } from './other-bytes.js';
import { readUnknownSignatures } from './unknown-signatures.js';

const PUB_KEY_HASH = 23;

/** Every recorded transaction of version 2 whose members, if it has any, are those of its sender. */
const signed = (['core-2.4', 'core-3.9'] as const)
  .flatMap((recording) => recordedBlocks(recording))
  .filter(({ height }) => height > 1)
  .flatMap(({ transactions }) => transactions)
  .filter(({ version, type }) => version === 2 && type !== TransactionType.MultiSignature);

const bytesOf = (transaction: Transaction): Buffer => Buffer.from(storedBytes(transaction, PUB_KEY_HASH));
const read = (transaction: Transaction, bytes = bytesOf(transaction)) =>
  readUnknownSignatures(bytes, transaction.senderPublicKey);

const kindOf = ({ signature, secondSignature, signatures }: Transaction): string =>
  [
    ...(signature === null ? [] : [signature.length === 128 ? 'Schnorr' : 'ECDSA']),
    ...(secondSignature === null ? [] : ['a second one']),
    ...(signatures === null ? [] : ['members']),
  ].join(', ');

describe('the signatures at the end of the bytes of a transaction', () => {
  it('are found without its payload', () => {
    const kinds = new Set<string>();
    for (const transaction of signed) {
      const { signature, secondSignature, signatures } = transaction;
      expect(read(transaction)).toEqual({ signature, secondSignature, signatures });
      kinds.add(kindOf(transaction));
    }
    expect([...kinds].sort()).toEqual(['Schnorr', 'Schnorr, a second one', 'members']);
  });

  it('are not the sender’s if the bytes before them are changed', () => {
    let unsigned = 0;
    for (const transaction of signed.filter(({ signature }) => signature !== null)) {
      const bytes = bytesOf(transaction);
      bytes[50]! ^= 1;
      // By chance they may look like those of members: then the account must have some.
      const { signature, secondSignature, signatures } = read(transaction, bytes);
      expect([signature, secondSignature]).toEqual([null, null]);
      if (signatures === null) unsigned += 1;
    }
    expect(unsigned).toBeGreaterThan(100);
  });

  it('are none if they are zeros', () => {
    const [transaction] = signed as [Transaction];
    // The index of a member may be 0.
    const bytes = Buffer.concat([bytesOf(transaction), Buffer.of(99), Buffer.alloc(64)]);
    expect(read(transaction, bytes)).toEqual({ signature: null, secondSignature: null, signatures: null });
  });
});

describe('ECDSA signatures at the end of the bytes of an unknown type', () => {
  const privateKey = sha256('a sender');
  const publicKey = Buffer.from(secp256k1.getPublicKey(privateKey)).toString('hex');
  /** 59 bytes, and a payload that looks like the begin of a signature. */
  const unsigned = Buffer.concat([Buffer.alloc(59, 7), Buffer.from('3044', 'hex'), Buffer.alloc(40, 9)]);
  const sign = (bytes: Uint8Array, key: Uint8Array): Buffer =>
    Buffer.from(secp256k1.sign(sha256(bytes), key, { prehash: false }).toBytes('der'));
  const signature = sign(unsigned, privateKey);
  const once = Buffer.concat([unsigned, signature]);
  const second = sign(once, sha256('a second key'));
  const right = { signature: signature.toString('hex'), secondSignature: null, signatures: null };

  it('are found alone, and before a second one', () => {
    expect(readUnknownSignatures(once, publicKey)).toEqual(right);
    const twice = Buffer.concat([once, second]);
    expect(readUnknownSignatures(twice, publicKey)).toEqual({
      ...right,
      secondSignature: second.toString('hex'),
    });
  });

  it.each<[string, Buffer]>([
    ['of another key', Buffer.concat([unsigned, sign(unsigned, sha256('another'))])],
    ['of other bytes', Buffer.concat([unsigned, sign(Buffer.alloc(59), privateKey)])],
    ['that do not reach to the end', Buffer.concat([once, Buffer.of(99)])],
    ['that are cut off', once.subarray(0, -1)],
  ])('are not the sender’s if they are those %s', (_, bytes) => {
    const { signature: found, secondSignature } = readUnknownSignatures(bytes, publicKey);
    expect([found, secondSignature]).toEqual([null, null]);
  });
});
