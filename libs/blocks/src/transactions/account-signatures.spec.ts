import { applyBlock, Ledger, type Block, type Transaction } from '@roundhouse/chain';
import { readNetwork, recordedBlocks } from '../checks/blocks.harness.js';
import type { AccountKeys } from './account-signatures.js';
import { problemOfSignaturesInBlock } from './check-transactions.js';
import type { TransactionRules } from './check-transactions.js';

interface Sent {
  readonly block: Block;
  readonly transaction: Transaction;
  readonly keys: AccountKeys;
}

const plain = { pubKeyHash: 23, exceptions: {} };

/** Each transaction of a recording above the genesis block, with the keys that its sender had before it. */
const sentIn = (recording: string): Sent[] => {
  const ledger = Ledger.empty(readNetwork(`test-data/${recording}/network.json`));
  const sent: Sent[] = [];
  for (const block of recordedBlocks(recording))
    applyBlock(ledger, block, false, {
      onSender: (transaction, { publicKey, secondPublicKey, multiSignature }) => {
        const keys = { publicKey, secondPublicKey, multiSignature };
        if (block.height > 1) sent.push({ block, transaction, keys });
      },
    });
  return sent;
};

const problemOf = (
  { block, transaction, keys }: Sent,
  ignoresUnexpected = false,
  rules: TransactionRules = plain,
): string | null => problemOfSignaturesInBlock(block.height, transaction, keys, rules, ignoresUnexpected);

const LACKS = 'lacks the second signature of its sender';

const changed = (sent: Sent, change: Partial<Transaction>): Sent => ({
  ...sent,
  transaction: { ...sent.transaction, ...change },
});

/** The hex text with each of its bytes changed in turn. */
const withEachByteChanged = (hex: string): string[] =>
  Array.from({ length: hex.length / 2 }, (_, index) => {
    const bytes = Buffer.from(hex, 'hex');
    bytes[index]! ^= 1;
    return bytes.toString('hex');
  });

const full = sentIn('core-2.4-full');
const late = sentIn('core-3.9');
const all = [...full, ...late];

const seconds = all.filter(({ transaction }) => transaction.secondSignature !== null);
const shared = all.filter(({ transaction, keys }) => keys.multiSignature !== null && transaction.signatures);
/** One of each form: ECDSA and Schnorr, in both versions. */
const formsOfSeconds = [
  ...new Map(
    seconds.map((sent) => [`${sent.transaction.version} ${sent.transaction.secondSignature!.length}`, sent]),
  ).values(),
];
/** As many have signed as must. */
const barely = shared.find(
  ({ transaction, keys }) =>
    transaction.signatures!.length === Number.parseInt(keys.multiSignature!.slice(0, 2), 16),
)!;

describe('the signatures under keys of the senders’ accounts', () => {
  it.each(['core-2.4', 'core-2.4-full', 'core-3.9'] as const)('of a node are right (%s)', (recording) => {
    const sent = sentIn(recording);
    for (const each of sent) expect(problemOf(each)).toBeNull();
    const needed = sent.filter((each) => problemOf(changed(each, { secondSignature: null })) === LACKS);
    expect(needed).toEqual(sent.filter(({ transaction }) => transaction.secondSignature !== null));
    expect(needed.length).toBeGreaterThan(30);
  });

  it('are found in all forms', () => {
    expect(seconds.length).toBeGreaterThan(100);
    expect(formsOfSeconds.length).toBeGreaterThan(1);
    expect(shared.length).toBeGreaterThan(15);
    for (const sent of shared)
      expect(problemOf(changed(sent, { signatures: null }))).toMatch(/^has valid signatures of 0 members/);
  });

  it('second signatures are wrong with any byte changed, with another key and over other contents', () => {
    for (const sent of formsOfSeconds) {
      const { secondSignature } = sent.transaction;
      const problem = `has a second signature that is not by ${sent.keys.secondPublicKey}`;
      for (const other of withEachByteChanged(secondSignature!))
        expect(problemOf(changed(sent, { secondSignature: other }))).toBe(problem);
      expect(problemOf(changed(sent, { fee: sent.transaction.fee + 1n }))).toBe(problem);
      const other = sent.transaction.senderPublicKey;
      expect(problemOf({ ...sent, keys: { ...sent.keys, secondPublicKey: other } })).toBe(
        `has a second signature that is not by ${other}`,
      );
    }
  });

  it('a second signature is needed if the account has a key for it, and allowed only then', () => {
    const [sent] = seconds;
    expect(problemOf(changed(sent!, { secondSignature: null }))).toBe(LACKS);
    const without = { ...sent!, keys: { ...sent!.keys, secondPublicKey: null } };
    expect(problemOf(without)).toBe('has a second signature, but its sender has no key for one');
    expect(problemOf(without, true)).toBeNull();
  });

  it('too few members have signed if any byte of a signature is changed, or one is missing or given twice', () => {
    const { signatures } = barely.transaction;
    const min = signatures!.length;
    const problem: unknown = expect.stringMatching(
      `^has valid signatures of \\d members, but ${min} must sign$`,
    );
    const wrong: Partial<Transaction>[] = signatures!.flatMap((signature, place) =>
      withEachByteChanged(signature).map((other) => ({ signatures: signatures!.with(place, other) })),
    );
    wrong.push({ signatures: signatures!.slice(1) }, { signatures: signatures!.map(() => signatures![0]!) });
    wrong.push({ signatures: null }, { fee: barely.transaction.fee + 1n });
    for (const change of wrong) expect(problemOf(changed(barely, change))).toEqual(problem);
  });

  it('signatures of members are refused for an account without members, except in a registration', () => {
    expect(problemOf({ ...barely, keys: { ...barely.keys, multiSignature: null } })).toBe(
      'has signatures of members, but its sender has no members',
    );
    const registrations = all.filter(({ transaction }) => transaction.asset?.multiSignature !== undefined);
    expect(registrations).toHaveLength(4);
    for (const sent of registrations) {
      expect(sent.transaction.signatures).not.toBeNull();
      expect(sent.keys.multiSignature).toBeNull();
      expect(problemOf(sent)).toBeNull();
    }
  });

  it('as many members must sign their registration as must sign later, and the sender signs theirs', () => {
    const sent = all.find(({ transaction }) => transaction.asset?.multiSignature !== undefined)!;
    const { asset, signatures } = sent.transaction;
    const { min, publicKeys } = asset!.multiSignature!;
    const registers = (least: number, given: readonly string[]): string | null =>
      problemOf(changed(sent, { asset: { multiSignature: { min: least, publicKeys } }, signatures: given }));
    const wrong = signatures!.map((each, place) =>
      place < min ? each : `${each.slice(0, 2)}${'ab'.repeat(64)}`,
    );
    const disagree = `has valid signatures of ${min - 1} of the members that it registers, but ${min} must sign`;
    expect(registers(min, wrong.slice(1))).toBe(disagree);
    expect(registers(min, [signatures![0]!, ...signatures!])).toMatch(
      /^has valid signatures of 0 of the members/,
    );
    const by = `has a signature that is not by ${sent.transaction.senderPublicKey}`;
    expect(registers(min, wrong)).toBe(by);
    expect(problemOf(changed(sent, { signature: null }))).toBe('is not signed by its sender');
  });

  it('the own signature of an account with members counts for nothing', () => {
    expect(barely.transaction.signature).toBeNull();
    expect(problemOf(changed(barely, { signature: 'ab'.repeat(64) }))).toBeNull();
  });

  it('an entity needs no second signature', () => {
    const sent = late.find(({ transaction: { typeGroup, type } }) => typeGroup === 2 && type === 6)!;
    const { senderPublicKey: secondPublicKey } = sent.transaction;
    expect(problemOf({ ...sent, keys: { ...sent.keys, secondPublicKey } })).toBeNull();
  });

  it('members that version 1 gave to an account need not sign', () => {
    const sent = all.find(({ transaction }) => transaction.version === 1 && !transaction.secondSignature)!;
    const { multiSignature } = barely.keys;
    expect(problemOf({ ...sent, keys: { ...sent.keys, multiSignature } })).toBeNull();
  });

  it('are not verified for exceptions and unknown types', () => {
    const [sent] = seconds;
    const { id, senderPublicKey: secondPublicKey } = sent!.transaction;
    const wrong = changed(sent!, { secondSignature: null });
    expect(problemOf(wrong)).toBe(LACKS);
    expect(problemOf(wrong, false, { ...plain, exceptions: { transactions: [id] } })).toBeNull();
    const known = { ...late.at(-1)!, keys: { ...late.at(-1)!.keys, secondPublicKey } };
    expect(problemOf(known)).toBe(LACKS);
    expect(problemOf(changed(known, { typeGroup: 50, asset: null }))).toBeNull();
  });
});
