import { describe, expect, it } from '@jest/globals';
import { TransactionType, type Transaction } from '@roundhouse/chain';
import { recordedBlocks } from '../checks/blocks.harness.js';
import { storedBytes } from './serialise.js';
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
