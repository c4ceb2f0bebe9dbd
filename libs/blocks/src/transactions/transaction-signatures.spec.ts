import type { Transaction } from '@roundhouse/chain';
import { recordedBlocks } from '../checks/blocks.harness.js';
import { isSigned } from '../checks/signature.js';
import { transactionSignaturesOf } from './transaction-signatures.js';

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

const registration = all.find(({ asset }) => asset?.multiSignature !== undefined)!;

describe('the signatures of transactions', () => {
  it('of a node verify with their own keys and with no other key', () => {
    expect(samples.size).toBeGreaterThan(6);
    for (const transaction of samples.values()) {
      const signed = signaturesOf(transaction);
      const { signature, signatures, asset } = transaction;
      const members = asset?.multiSignature === undefined ? 0 : signatures!.length;
      expect(signed).toHaveLength((signature === null ? 0 : 1) + members);
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

  it('of the members in a registration verify with the keys that it lists', () => {
    expect(verdicts(registration)).toEqual([true, true, true, true]);
    const [first, second, third] = registration.signatures!;
    const swapped = [`01${first!.slice(2)}`, second!, `09${third!.slice(2)}`];
    // The sender signs the members' signatures.
    expect(verdicts({ ...registration, signatures: swapped })).toEqual([false, false, true, false]);
  });

  it('are not verified for exceptions, unknown types and the genesis block', () => {
    const listed = { ...plain, exceptions: { transactions: [registration.id] } };
    expect(signaturesOf(registration, listed)).toEqual([]);
    const fixed = { ...plain, exceptions: { transactionIdFixTable: { ab: registration.id } } };
    expect(signaturesOf(registration, fixed)).toEqual([]);
    expect(signaturesOf({ ...all.at(-1)!, typeGroup: 50, asset: null })).toEqual([]);
    expect(transactionSignaturesOf(genesis!, plain)).toEqual([]);
  });
});
