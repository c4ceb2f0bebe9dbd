import { serialise, UnserialisableError } from '@roundhouse/blocks';
import { sha256 } from '@roundhouse/chain';
import { decodeTransaction } from '@roundhouse/source';
import type { Signatures, UnsignedTransaction } from './raw-transaction.js';
import { devnetPayloadOf } from './transaction-types.js';

/** A transaction that is being made has none yet. */
const NO_ID = '00'.repeat(32);

/** The bytes of a transaction before its signatures, which follow them. Throws if a field is missing or malformed. */
export const unsignedBytes = (transaction: UnsignedTransaction): Buffer => {
  const { typeGroup, type, network } = transaction;
  const { signature: _, secondSignature: __, signatures: ___, ...unsigned } = transaction as Signatures;
  const decoded = decodeTransaction({ ...unsigned, id: NO_ID });
  try {
    const bytes = serialise(decoded, network, devnetPayloadOf);
    if (bytes !== null) return bytes;
  } catch (error) {
    if (!(error instanceof UnserialisableError)) throw error;
    throw new TypeError(`The transaction ${error.message}.`, { cause: error });
  }
  throw new TypeError(`This chain has no transactions of type group ${typeGroup}, type ${type}.`);
};

/** The hash that is signed; with all signatures, the transaction's id. */
export const hashWith = (unsigned: Buffer, signatures: Signatures): Buffer => {
  const { signature = '', secondSignature = '', signatures: members = [] } = signatures;
  const all = Buffer.from(signature + secondSignature + members.join(''), 'hex');
  return sha256(Buffer.concat([unsigned, all]));
};

export const transactionHash = (transaction: UnsignedTransaction, signatures: Signatures): Buffer =>
  hashWith(unsignedBytes(transaction), signatures);
