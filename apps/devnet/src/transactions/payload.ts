import type { UnsignedTransaction } from './raw-transaction.js';
import type { ByteWriter } from './byte-writer.js';

/** Writes the part of a version-2 transaction that is its type's own (AIP 11). */
export type Payload = (writer: ByteWriter, transaction: UnsignedTransaction) => void;

/** The asset's part that this type cannot do without. Throws where it is missing. */
export const required = <T>(part: T | undefined, name: string): T => {
  if (part === undefined) throw new TypeError(`The transaction has no "${name}".`);
  return part;
};
