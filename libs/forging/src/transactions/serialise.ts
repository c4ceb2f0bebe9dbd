import { serialise } from '@roundhouse/blocks';
import { sha256, UnserialisableError, type Transaction } from '@roundhouse/chain';
import { forgedPayloadOf } from './transaction-types.js';

export type Signatures = Pick<Transaction, 'signature' | 'secondSignature' | 'signatures'>;

/** A transaction before it has signatures and an id. */
export type UnsignedTransaction = Omit<Transaction, 'id' | keyof Signatures>;

/** A transaction that is being made has none yet. */
const NO_ID = '00'.repeat(32);

export const UNSIGNED: Signatures = { signature: null, secondSignature: null, signatures: null };

/**
 * The bytes of a transaction before its signatures, which follow them. It must have its network. Throws if a field is
 * missing or malformed.
 */
export const unsignedBytes = (transaction: UnsignedTransaction): Buffer => {
  const { typeGroup, type, network } = transaction;
  try {
    const bytes = serialise({ ...UNSIGNED, id: NO_ID, ...transaction }, network!, forgedPayloadOf);
    if (bytes !== null) return bytes;
  } catch (error) {
    if (!(error instanceof UnserialisableError)) throw error;
    throw new TypeError(`The transaction ${error.message}.`, { cause: error });
  }
  throw new TypeError(`This chain has no transactions of type group ${typeGroup}, type ${type}.`);
};

/** The hash that is signed; with all signatures, the transaction's id. */
export const hashWith = (
  unsigned: Buffer,
  { signature, secondSignature, signatures }: Signatures,
): Buffer => {
  const all = [signature ?? '', secondSignature ?? '', ...(signatures ?? [])].join('');
  return sha256(Buffer.concat([unsigned, Buffer.from(all, 'hex')]));
};

export const transactionHash = (transaction: UnsignedTransaction, signatures: Signatures): Buffer =>
  hashWith(unsignedBytes(transaction), signatures);
