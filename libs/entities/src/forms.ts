import { signatureOfStored, storedSignature } from './stored-signature.js';

/**
 * How rows hold the bytes of a column as text. `hex`: lower-case hexadecimal. `block id`: decimal text below 2^64 for 8
 * big-endian bytes, or hexadecimal for the 32 bytes of a full SHA-256. Serialised headers hold the same bytes.
 * `signature`: lower-case hexadecimal of the signature; `stored-signature.ts` says which bytes are stored.
 */
export type Form = 'hex' | 'block id' | 'signature';

const SHORT_ID_DIGITS = 16;
const FULL_ID_DIGITS = 64;

/** The bytes of a value, in hexadecimal. */
export const hexOfForm = (form: Form, value: string): string => {
  if (form === 'signature') return storedSignature(value);
  return form === 'hex' || value.length === FULL_ID_DIGITS
    ? value
    : BigInt(value).toString(16).padStart(SHORT_ID_DIGITS, '0');
};

/** The value whose bytes these are. */
export const valueOfHex = (form: Form, hex: string): string => {
  if (form === 'signature') return signatureOfStored(hex);
  return form === 'block id' && hex.length === SHORT_ID_DIGITS ? BigInt(`0x${hex}`).toString() : hex;
};

/** A value as a parameter of a statement. */
export const bytesOf = (form: Form, value: string): Buffer => Buffer.from(hexOfForm(form, value), 'hex');
