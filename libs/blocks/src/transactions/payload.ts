import type { Transaction } from '@roundhouse/chain';
import { addressBytes } from './address-bytes.js';
import type { ByteReader } from './byte-reader.js';
import type { ByteWriter } from './byte-writer.js';
import { UnserialisableError } from './unserialisable.error.js';

/** What the payload of a transaction is made of. */
export type PayloadFields = Pick<Transaction, 'amount' | 'expiration' | 'recipientId' | 'asset'>;

export type ReadFields = Partial<PayloadFields>;

/** The type-specific part of a serialised transaction (AIP 11). */
export interface Payload {
  /** Whether the type signs each of these fields. If not, its transactions must not have the field. (Default: false) */
  readonly hasVendorField?: boolean;
  readonly hasAmount?: boolean;
  readonly hasRecipient?: boolean;
  /** Throws `UnserialisableError` if a field is missing or malformed. */
  write(this: void, writer: ByteWriter, fields: PayloadFields): void;
  /** Reads what `write` wrote. */
  read(this: void, reader: ByteReader): ReadFields;
}

/** The part of the asset that a type requires. Throws `UnserialisableError` if it is missing. */
export const required = <T>(part: T | null | undefined, name: string): T => {
  if (part === undefined || part === null) throw new UnserialisableError(`has no "${name}"`);
  return part;
};

/** Throws `UnserialisableError` if the text is not an address. */
export const bytesOfAddress = (address: string): Uint8Array => {
  const bytes = addressBytes(address);
  if (bytes === null)
    throw new UnserialisableError(`has the recipient "${address}", which is not an address`);
  return bytes;
};
