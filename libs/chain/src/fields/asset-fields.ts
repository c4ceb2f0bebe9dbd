import { decodeEach, listOf, lowerCaseOf, objectOf, publicKeyOf, within, type JsonObject } from './fields.js';
import { ShapeError } from './shape-error.js';

/** A list of public keys. */
export const keysOf = (record: JsonObject, key: string): string[] =>
  within(key, () => decodeEach(listOf(record, key), (value) => publicKeyOf({ value }, 'value')));

const KEY_BYTES = /^[0-9a-f]{66}$/;

/** The bytes of a key that no node looked at: it need not be one (Core 2.0 to 3.9, `secondSignature`). */
export const bytesOfKeyOf = (record: JsonObject, key: string): string =>
  lowerCaseOf(record, key, KEY_BYTES, '33 bytes in hexadecimal text');

const SIGNED_KEY = /^[+-]0[23][0-9a-f]{64}$/;

/** A vote, or a member of version 1. */
export const signedKeyOf = (value: unknown): string => {
  const key = typeof value === 'string' ? value.toLowerCase() : '';
  if (SIGNED_KEY.test(key)) return key;
  throw new ShapeError(
    '',
    'is not a vote: it must be "+" or "-" and a public key; votes by username cannot be indexed',
  );
};

/**
 * A replacer for `JSON.stringify`: whole numbers that a double does not hold exactly become text, also if they came with
 * an exponent. They would be stored without it, and read as another kind of number. What remains reads as it was written.
 */
const withLargeAsText = (_key: string, value: unknown): unknown => {
  const isLarge = typeof value === 'bigint' || (Number.isInteger(value) && !Number.isSafeInteger(value));
  return isLarge ? BigInt(value as bigint | number).toString() : value;
};

/** Real assets have three levels. To write thousands of them would overflow the stack. */
const MOST_LEVELS = 64;

const isDeeperThan = (levels: number, value: unknown): boolean =>
  typeof value === 'object' &&
  value !== null &&
  (levels === 0 || Object.values(value).some((one) => isDeeperThan(levels - 1, one)));

/** An asset that is kept as it is. Throws `ShapeError` if it has more than 64 levels. */
export const otherOf = (asset: JsonObject): { readonly other: JsonObject } => {
  if (isDeeperThan(MOST_LEVELS, asset))
    throw new ShapeError('asset', `must not have more than ${MOST_LEVELS} levels`);
  return { other: JSON.parse(JSON.stringify(asset, withLargeAsText)) as JsonObject };
};

/** Decodes a part of an object, under its key. */
export const inner = <T>(record: JsonObject, key: string, decode: (part: JsonObject) => T): T => {
  const part = objectOf(record[key], key);
  return within(key, () => decode(part));
};
