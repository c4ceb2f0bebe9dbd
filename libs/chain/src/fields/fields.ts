import { parseLongNumbers } from './long-numbers.js';
import { fail, underKey } from './shape-error.js';

// Finds every integer that may exceed 2^53: 16 digits or more after one of these characters. Digits within a string
// rarely match.
// The whole text may also be such an integer. A second expression finds that, because one expression for both would
// take twice the time.
const MAY_LOSE_DIGITS = /[\s:,[]-?\d{16}/;
const IS_LONG_NUMBER = /^-?\d{16}/;

/**
 * Parses JSON without loss: an integer beyond 2^53 − 1 either way becomes a `bigint`, everything else is parsed
 * like `JSON.parse` does. Throws `SyntaxError`. The status page, the client and the simulation have parsers of their own: the
 * first two cannot import this package, and the simulation must not check programs with their own parser.
 */
export const parseLosslessJson = (text: string): unknown =>
  MAY_LOSE_DIGITS.test(text) || IS_LONG_NUMBER.test(text) ? parseLongNumbers(text) : JSON.parse(text);

/** Runs `decode`; adds `key` to the path of a `ShapeError` that it throws. */
export const within = <T>(key: string, decode: () => T): T => {
  try {
    return decode();
  } catch (error) {
    throw underKey(error, key);
  }
};

/** Decodes each element of a list; adds its index to the path of a `ShapeError`. */
export const decodeEach = <T>(list: readonly unknown[], decode: (element: unknown) => T): T[] => {
  const decoded: T[] = [];
  try {
    for (const element of list) decoded.push(decode(element));
  } catch (error) {
    throw underKey(error, `[${decoded.length}]`);
  }
  return decoded;
};

/** A parsed JSON object: nothing in it is trusted yet. */
export type JsonObject = Readonly<Record<string, unknown>>;

const HEXADECIMAL = 'hexadecimal text';
const HEX = /^[0-9a-f]+$/;
const HASH = /^[0-9a-f]{64}$/;
const PUBLIC_KEY = /^0[23][0-9a-f]{64}$/;
const SHORT_BLOCK_ID = /^\d{1,20}$/;
const DIGITS = /^\d{1,19}$/;

// A column of type integer holds numbers below this. Core's headers have room for 2^32, which no chain has come near.
const INT4_END = 2 ** 31;
const UINT32_END = 2 ** 32;
const BYTE_END = 2 ** 8;
const INT8_END = 2n ** 63n;
/** 2^64 − 1. Numbers with equally many digits compare as text. */
const UINT8_LAST = '18446744073709551615';

/** A PostgreSQL index entry holds at most about 2,700 bytes; no address or username comes near this. */
export const MOST_CHARACTERS = 255;

/** The signed bytes hold the length of the vendor field in one byte. */
export const MOST_VENDOR_BYTES = 255;

const UNSTORABLE = /[\0\p{Surrogate}]/u;

export const objectOf = (value: unknown, key = ''): JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
    ? (value as JsonObject)
    : fail(key, value, 'an object');

export const listOf = (record: JsonObject, key: string): readonly unknown[] => {
  const value = record[key];
  return Array.isArray(value) ? value : fail(key, value, 'a list');
};

/** Text that a column can hold and an index can list: 1 to 255 characters, neither NUL nor half a surrogate pair. */
export const isStorableText = (value: unknown): value is string =>
  typeof value === 'string' && value !== '' && value.length <= MOST_CHARACTERS && !UNSTORABLE.test(value);

export const textOf = (record: JsonObject, key: string): string => {
  const value = record[key];
  return isStorableText(value) ? value : fail(key, value, `text of 1 to ${MOST_CHARACTERS} characters`);
};

/** Like `hexOf`, but null if the field is missing, null or empty. */
export const optionalHexOf = (record: JsonObject, key: string): string | null =>
  isAbsent(record, key) ? null : hexOf(record, key);

/** Like `textOf`, but null if the field is missing, null or empty. */
export const optionalTextOf = (record: JsonObject, key: string): string | null =>
  isAbsent(record, key) ? null : textOf(record, key);

const isWhole = (value: unknown, from: number, end: number): value is number =>
  typeof value === 'number' && Number.isInteger(value) && value >= from && value < end;

export const isUint32 = (value: unknown): boolean => isWhole(value, 0, UINT32_END);

const integerFrom = (record: JsonObject, key: string, from: number, end = INT4_END): number => {
  const value = record[key];
  return isWhole(value, from, end) ? value : fail(key, value, `a whole number from ${from} to ${end - 1}`);
};

/** 0 to 2^31 − 1; `absent` if there is no value. */
export const countOf = (record: JsonObject, key: string, absent?: number): number =>
  absent !== undefined && (record[key] === undefined || record[key] === null)
    ? absent
    : integerFrom(record, key, 0);

/** 0 to 2^32 − 1. */
export const uint32Of = (record: JsonObject, key: string): number => integerFrom(record, key, 0, UINT32_END);

/** 0 to 255. */
export const byteOf = (record: JsonObject, key: string): number => integerFrom(record, key, 0, BYTE_END);

/** 1 to 2^31 − 1. */
export const heightOf = (record: JsonObject, key: string): number => integerFrom(record, key, 1);

/** Arktoshi, 0 to 2^63 − 1, as a number, a bigint or decimal text. */
export const amountOf = (record: JsonObject, key: string): bigint => {
  const value = record[key];
  let amount = -1n;
  if (typeof value === 'string' && DIGITS.test(value)) amount = BigInt(value);
  else if (typeof value === 'number' && Number.isSafeInteger(value)) amount = BigInt(value);
  else if (typeof value === 'bigint') amount = value;
  // `parseLosslessJson` keeps all digits, so there were none: 1e+16.
  else if (typeof value === 'number' && value > Number.MAX_SAFE_INTEGER && value < 2 ** 63)
    return fail(key, value, 'written with all its digits: some program, such as jq 1.6, has shortened it');
  return amount >= 0n && amount < INT8_END ? amount : fail(key, value, 'an amount from 0 to 2^63 - 1');
};

/** Text of this form, also in upper case. `wanted` describes the form. */
export const lowerCaseOf = (record: JsonObject, key: string, form: RegExp, wanted: string): string => {
  const value = record[key];
  if (typeof value !== 'string') return fail(key, value, wanted);
  if (form.test(value)) return value;
  const lower = value.toLowerCase();
  return form.test(lower) ? lower : fail(key, value, wanted);
};

export const hexOf = (record: JsonObject, key: string): string => {
  const text = lowerCaseOf(record, key, HEX, HEXADECIMAL);
  return text.length % 2 === 0 ? text : fail(key, text, HEXADECIMAL);
};

export const hashOf = (record: JsonObject, key: string): string =>
  lowerCaseOf(record, key, HASH, '64 hexadecimal characters');

export const publicKeyOf = (record: JsonObject, key: string): string =>
  lowerCaseOf(record, key, PUBLIC_KEY, 'a public key');

/**
 * The bytes of a vendor field, in hexadecimal text; null if there are none. `vendorField` has them as text.
 * `vendorFieldHex` takes precedence, because it can also hold bytes that are not UTF-8.
 */
export const vendorFieldOf = (record: JsonObject): string | null => {
  const key = isAbsent(record, 'vendorFieldHex') ? 'vendorField' : 'vendorFieldHex';
  if (isAbsent(record, key)) return null;
  const value = record[key];
  let hex = '';
  if (key === 'vendorFieldHex') hex = hexOf(record, key);
  else if (typeof value === 'string') hex = Buffer.from(value).toString('hex');
  return hex !== '' && hex.length <= 2 * MOST_VENDOR_BYTES ? hex : fail(key, value, 'at most 255 bytes');
};

/** Decimal text below 2^64, or 64 hexadecimal characters in lower case. */
export const blockIdOf = (record: JsonObject, key: string): string => {
  const value = record[key];
  if (typeof value === 'string') {
    if (SHORT_BLOCK_ID.test(value) && (value.length < 20 || value <= UINT8_LAST)) return value;
    const lower = value.toLowerCase();
    if (HASH.test(lower)) return lower;
  }
  return fail(key, value, 'a block id');
};

/** Whether this stands for the block before the genesis block: one zero, or as many as a full id has (Core 3). */
export const isNoBlockId = (value: unknown): boolean => typeof value === 'string' && /^0+$/.test(value);

/** Whether the source has no value for this key. */
export const isAbsent = (record: JsonObject, key: string): boolean =>
  record[key] === undefined || record[key] === null || record[key] === '';
