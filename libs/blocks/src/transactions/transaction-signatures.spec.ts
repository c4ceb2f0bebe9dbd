import type { Transaction } from '@roundhouse/chain';
import { recordedBlocks } from '../checks/blocks.harness.js';
import { isSigned } from '../checks/signature.js';
import { transactionSignaturesOf } from './check-transactions.js';

const plain = { pubKeyHash: 23, exceptions: {} };
const [genesis, ...blocks] = [...recordedBlocks('core-2.4-full'), ...recordedBlocks('core-3.9').slice(1)];
const all = blocks.flatMap(({ transactions }) => transactions);

const signaturesOf = (transaction: Transaction, rules = plain) =>
  transactionSignaturesOf({ ...blocks[0]!, transactions: [transaction] }, rules);

const verdicts = (transaction: Transaction): boolean[] =>
  signaturesOf(transaction).map((signed) => isSigned(signed));

/** One of each form: ECDSA and Schnorr, with a second signature, with members. */
const samples = new Map<string, Transaction>();
for (const transaction of all) {
  const { version, signature, secondSignature, signatures } = transaction;
  const key = `${version} ${signature?.length === 128} ${secondSignature !== null} ${signatures?.length ?? 0}`;
  if (!samples.has(key)) samples.set(key, transaction);
}

const plainOne = all.find(({ signatures }) => signatures === null)!;

describe('the signatures of transactions', () => {
  it('of a node verify with their own keys and with no other key', () => {
    expect(samples.size).toBeGreaterThan(6);
    for (const transaction of samples.values()) {
      const signed = signaturesOf(transaction);
      const { signature, signatures } = transaction;
      expect(signed).toHaveLength(signature === null || signatures !== null ? 0 : 1);
      for (const each of signed) {
        expect(isSigned(each)).toBe(true);
        expect(isSigned({ ...each, publicKey: genesis!.generatorPublicKey })).toBe(false);
      }
    }
  });

  it.each<[string, Partial<Transaction>]>([
    ['another amount', { amount: 77n }],
    ['the signature of another', { signature: all[0]!.signature }],
  ])('do not verify with %s', (_, change) => {
    const transfer = all.find(
      ({ type, vendorField }, place) => place > 0 && type === 0 && vendorField !== null,
    )!;
    expect(verdicts(transfer)).toEqual([true]);
    expect(verdicts({ ...transfer, ...change })).toEqual([false]);
  });

  it('are not verified for exceptions, unknown types and the genesis block', () => {
    expect(signaturesOf(plainOne)).toHaveLength(1);
    const listed = { ...plain, exceptions: { transactions: [plainOne.id] } };
    expect(signaturesOf(plainOne, listed)).toEqual([]);
    const fixed = { ...plain, exceptions: { transactionIdFixTable: { ab: plainOne.id } } };
    expect(signaturesOf(plainOne, fixed)).toEqual([]);
    expect(signaturesOf({ ...all.at(-1)!, typeGroup: 50, asset: null })).toEqual([]);
    expect(transactionSignaturesOf(genesis!, plain)).toEqual([]);
  });
});
