import {
  CORE_TYPE_GROUP,
  decodeEach,
  FIRST_CHANGED_NUMBER,
  hexOf,
  listOf,
  oldNumberOf,
  typeOfOldNumber,
  within,
  type JsonObject,
  type Transaction,
} from '@roundhouse/chain';

// What few transactions have, as `raw-block.ts` reads and writes it.

/** The signatures of the members of a multi-signature account; null if the list is empty. Throws `ShapeError`. */
export const signaturesOf = (transaction: JsonObject): readonly string[] | null => {
  const list = listOf(transaction, 'signatures');
  return list.length === 0
    ? null
    : within('signatures', () => decodeEach(list, (value) => hexOf({ value }, 'value')));
};

/** Characters that JSON escapes; a line with such a text would not be in plain form. */
// eslint-disable-next-line no-control-regex
const ESCAPED = /["\\\u0000-\u001f]/;

/** Core's JSON has the vendor field as text, which cannot hold all bytes. */
export const rawVendorField = (hex: string): { readonly [key: string]: string } => {
  const bytes = Buffer.from(hex, 'hex');
  const text = bytes.toString();
  const isPlain = Buffer.from(text).equals(bytes) && !ESCAPED.test(text);
  return isPlain ? { vendorField: text } : { vendorFieldHex: hex };
};

/**
 * Core 2.4 and 2.5 have no type groups, and they number some types differently. A transaction of version 1 whose type
 * has always had the same number is written with the type group, as later versions of Core write it.
 */
export const rawTypeWithoutNonce = ({ version, typeGroup, type }: Transaction): object => {
  if (version === 1 && type < FIRST_CHANGED_NUMBER) return { typeGroup, type };
  const old = typeGroup === CORE_TYPE_GROUP ? oldNumberOf(type) : type;
  const read = typeOfOldNumber(old);
  // A type that these versions did not have must not be read as another one, whose id may be right.
  return read.typeGroup === typeGroup && read.type === type ? { type: old } : { typeGroup, type };
};
