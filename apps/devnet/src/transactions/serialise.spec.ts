import { multiSignatureKeyOf } from '@roundhouse/chain';
import { readRecording } from '@roundhouse/testing';
import { verifySchnorr } from '../keys/schnorr.js';
import type { RawBlock } from '../chain/raw-block.js';
import { transactionHash, unsignedBytes } from './serialise.js';

describe('transactions of a real Core 3.9 node', () => {
  const recorded = readRecording<RawBlock>('core-3.9', 'chain.ndjson.gz').flatMap(
    ({ transactions }) => transactions,
  );

  it('cover every type of the protocol', () => {
    const types = new Set(recorded.filter(({ typeGroup }) => typeGroup === 1).map(({ type }) => type));
    expect([...types].sort((a, b) => a - b)).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10]);
    expect(recorded.length).toBeGreaterThan(950);
  });

  it('have the ids of their serialised bytes', () => {
    const computed = recorded.map((transaction) => transactionHash(transaction, transaction).toString('hex'));
    expect(computed).toEqual(recorded.map(({ id }) => id));
  });

  it('are signed by their senders over the bytes without the signature', () => {
    const singles = recorded
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
    const registered = recorded.flatMap(({ asset }) => (asset?.multiSignature ? [asset.multiSignature] : []));
    const keys = new Set(registered.map(multiSignatureKeyOf));
    const shared = recorded.filter(({ signature }) => signature === undefined);
    expect(shared.length).toBeGreaterThan(0);
    for (const { senderPublicKey } of shared) expect(keys).toContain(senderPublicKey);
  });
});

describe('unsignedBytes', () => {
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
    expect(() => unsignedBytes(transfer)).toThrow('The transaction has no "recipientId".');
  });

  it('rejects a recipient that is not an address', () => {
    expect(() => unsignedBytes({ ...transfer, recipientId: 'nobody' })).toThrow(
      'The transaction has the recipient "nobody", which is not an address.',
    );
  });

  it('rejects unknown types', () => {
    expect(() => unsignedBytes({ ...transfer, typeGroup: 77 })).toThrow('type group 77');
  });
});
