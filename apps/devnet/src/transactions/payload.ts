import type { UnsignedTransaction } from './raw-transaction.js';
import type { ByteWriter } from './byte-writer.js';

/** Writes the type-specific part of a version-2 transaction (AIP 11). */
export type Payload = (writer: ByteWriter, transaction: UnsignedTransaction) => void;

/** Returns the part of the asset that this type requires. Throws if it is missing. */
export const required = <T>(part: T | undefined, name: string): T => {
  if (part === undefined) throw new TypeError(`The transaction has no "${name}".`);
  return part;
};
