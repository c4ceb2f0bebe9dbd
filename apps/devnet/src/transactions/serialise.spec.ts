import { readRecording } from '@roundhouse/testing';
import { verifySchnorr } from '../keys/schnorr.js';
import { multiSignatureKeyOf } from '../keys/multi-signature-key.js';
import type { RawBlock } from '../chain/raw-block.js';
import type { RawTransaction } from './raw-transaction.js';
import { serialise, transactionHash } from './serialise.js';
import { ENTITY_TYPE, MAGISTRATE_TYPE_GROUP } from './transaction-types.js';

/** Whether the devnet supports this type; of type group 2 it knows only entities. */
const isSpoken = ({ typeGroup, type }: RawTransaction): boolean =>
  typeGroup === 1 || (typeGroup === MAGISTRATE_TYPE_GROUP && type === ENTITY_TYPE);

describe('transactions of a real Core 3.9 node', () => {
  const recorded = readRecording<RawBlock>('core-3.9', 'chain.ndjson.gz').flatMap(
    ({ transactions }) => transactions,
  );
  const spoken = recorded.filter(isSpoken);

  it('cover every type of the protocol', () => {
    const types = new Set(spoken.filter(({ typeGroup }) => typeGroup === 1).map(({ type }) => type));
    expect([...types].sort((a, b) => a - b)).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10]);
    expect(spoken.length).toBeGreaterThan(950);
  });

  it('have the ids of their serialised bytes', () => {
    const computed = spoken.map((transaction) => transactionHash(transaction, transaction).toString('hex'));
    expect(computed).toEqual(spoken.map(({ id }) => id));
  });

  it('are signed by their senders over the bytes without the signature', () => {
    const singles = spoken
      .filter(({ version, signature }) => version === 2 && signature !== undefined)
      .slice(0, 40);
    for (const { signature = '', secondSignature: _, ...transaction } of singles) {
      const hash = transactionHash(
        transaction,
        transaction.signatures ? { signatures: transaction.signatures } : {},
      );
      expect(verifySchnorr(hash, signature, transaction.senderPublicKey)).toBe(true);
      expect(verifySchnorr(hash, signature, recorded[0]!.senderPublicKey)).toBe(false);
    }
  });

  it('come from multi-signature accounts whose keys are the sums of their members', () => {
    const registered = spoken.flatMap(({ asset }) => (asset?.multiSignature ? [asset.multiSignature] : []));
    const keys = new Set(registered.map(multiSignatureKeyOf));
    const shared = spoken.filter(({ signature }) => signature === undefined);
    expect(shared.length).toBeGreaterThan(0);
    for (const { senderPublicKey } of shared) expect(keys).toContain(senderPublicKey);
  });
});

describe('serialise', () => {
  const transfer = {
    version: 2,
    network: 30,
    typeGroup: 1,
    type: 0,
    nonce: '1',
    senderPublicKey: `02${'11'.repeat(32)}`,
    fee: '1',
    amount: '1',
  };

  it('rejects a transaction without a part that its type requires, and names the part', () => {
    expect(() => serialise(transfer, {})).toThrow('The transaction has no "recipientId".');
  });

  it('rejects a recipient that is not an address', () => {
    expect(() => serialise({ ...transfer, recipientId: 'nobody' }, {})).toThrow(
      '"nobody" is not an address.',
    );
  });

  it('rejects unknown types', () => {
    expect(() => serialise({ ...transfer, typeGroup: 77 }, {})).toThrow('type group 77');
  });
});
