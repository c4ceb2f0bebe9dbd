import { isStorableText, MOST_CHARACTERS, MOST_VENDOR_BYTES } from '../fields/fields.js';
import type { AmountText, CountText, Span } from '../text/block-text.js';
import type { JsonCursor } from './json-cursor.js';

/** Reads the value of one key. */
type ReadField<Target> = (target: Target) => boolean;

interface Field<Target> {
  readonly name: Buffer;
  /** Unique within the table. */
  readonly bit: number;
  readonly read: ReadField<Target>;
}

/** The relevant keys of an object, and how to read the value of each. */
export class FieldTable<Target> {
  private readonly byLength: (readonly Field<Target>[] | undefined)[] = [];
  /** The bits of all required fields. */
  readonly required: number = 0;

  constructor(
    required: Readonly<Record<string, ReadField<Target>>>,
    optional: Readonly<Record<string, ReadField<Target>>> = {},
  ) {
    let bit = 1;
    for (const [name, read] of Object.entries({ ...required, ...optional })) {
      this.byLength[name.length] = [
        ...(this.byLength[name.length] ?? []),
        { name: Buffer.from(name), bit, read },
      ];
      if (Object.hasOwn(required, name)) this.required |= bit;
      bit <<= 1;
    }
  }

  /** The field whose name lies between two offsets; undefined if there is none. */
  find(bytes: Uint8Array, start: number, stop: number): Field<Target> | undefined {
    const candidates = this.byLength[stop - start];
    if (candidates === undefined) return undefined;
    for (const field of candidates) {
      const { name } = field;
      let i = 0;
      while (i < name.length && name[i] === bytes[start + i]) i += 1;
      if (i === name.length) return field;
    }
    return undefined;
  }
}

// Each function reads one value in the form of the tables, and returns false for any other.

const HALF = 2 ** 32;
const BYTE_END = 2 ** 8;
/** A column of type integer holds numbers below this, which have at most `COUNT_DIGITS` digits. */
const INT4_END = 2 ** 31;
const COUNT_DIGITS = 10;
/** A number with more digits may have lost precision. */
const NUMBER_DIGITS = 15;
const AMOUNT_DIGITS = 19;
const HASH_CHARACTERS = 64;
const KEY_CHARACTERS = 66;
const KEY_SIGN_PLACE = 1;
/** 2^64 - 1. */
const UINT8_LAST = Buffer.from('18446744073709551615');

const keep = (cursor: JsonCursor, into: Span): boolean => {
  into.start = cursor.start;
  into.end = cursor.stop;
  return true;
};

const readWhole = (cursor: JsonCursor, into: CountText): boolean => {
  if (!cursor.readNumber() || cursor.length > COUNT_DIGITS) return false;
  let value = 0;
  for (let i = 0; i < cursor.length; i += 1) value = value * 10 + cursor.digitAt(i);
  into.value = value;
  return keep(cursor, into);
};

/** 0 to 2^31 - 1. */
export const readCount = (cursor: JsonCursor, into: CountText): boolean =>
  readWhole(cursor, into) && into.value < INT4_END;

/** 0 to 255. */
export const readByte = (cursor: JsonCursor, into: CountText): boolean =>
  readWhole(cursor, into) && into.value < BYTE_END;

/** 0 to 2^32 - 1. */
export const readUint32 = (cursor: JsonCursor, into: CountText): boolean =>
  readWhole(cursor, into) && into.value < HALF;

/** Arktoshi, 0 to 2^63 - 1, as text or as a number. */
export const readAmount = (cursor: JsonCursor, into: AmountText): boolean => {
  const isText = cursor.readText();
  if (!isText && !(cursor.readNumber() && cursor.length <= NUMBER_DIGITS)) return false;
  const { length } = cursor;
  if (!cursor.isDigits || length === 0 || length > AMOUNT_DIGITS) return false;
  if (length > 1 && cursor.digitAt(0) === 0) return false;
  let low = 0;
  let high = 0;
  for (let i = 0; i < length; i += 1) {
    low = low * 10 + cursor.digitAt(i);
    high *= 10;
    if (low < HALF) continue;
    const carry = Math.floor(low / HALF);
    high += carry;
    low -= carry * HALF;
  }
  if (high >= HALF / 2) return false;
  into.low = low;
  into.high = high;
  return keep(cursor, into);
};

/** Decimal text below 2^64, or a hash. */
export const readBlockId = (cursor: JsonCursor, into: Span): boolean => {
  if (!cursor.readText()) return false;
  const { length } = cursor;
  const isNumber =
    cursor.isDigits &&
    length > 0 &&
    (length < UINT8_LAST.length || (length === UINT8_LAST.length && cursor.isAtMost(UINT8_LAST)));
  return (isNumber || (cursor.isHex && length === HASH_CHARACTERS)) && keep(cursor, into);
};

/** Text in printable ASCII; false for any other. */
export const readPlain = (cursor: JsonCursor, into: Span): boolean =>
  cursor.readPlainText() && cursor.length > 0 && cursor.length <= MOST_CHARACTERS && keep(cursor, into);

/** Any other text that a column can hold, or null. */
export const readOddText = (cursor: JsonCursor): string | null => {
  const text = cursor.readParsed();
  return isStorableText(text) ? text : null;
};

export const readHash = (cursor: JsonCursor, into: Span): boolean =>
  cursor.readText() && cursor.isHex && cursor.length === HASH_CHARACTERS && keep(cursor, into);

export const readHex = (cursor: JsonCursor, into: Span): boolean =>
  cursor.readText() && cursor.isHex && cursor.length > 0 && cursor.length % 2 === 0 && keep(cursor, into);

/** Text without escapes, which may be empty; does not step over any other. */
export const readVendorText = (cursor: JsonCursor, into: Span): boolean =>
  cursor.readUnescaped() && cursor.length <= MOST_VENDOR_BYTES && keep(cursor, into);

export const readVendorHex = (cursor: JsonCursor, into: Span): boolean =>
  cursor.readText() &&
  cursor.isHex &&
  cursor.length > 0 &&
  cursor.length % 2 === 0 &&
  cursor.length <= 2 * MOST_VENDOR_BYTES &&
  keep(cursor, into);

export const readPublicKey = (cursor: JsonCursor, into: Span): boolean =>
  cursor.readText() &&
  cursor.isHex &&
  cursor.length === KEY_CHARACTERS &&
  cursor.digitAt(0) === 0 &&
  (cursor.digitAt(KEY_SIGN_PLACE) === 2 || cursor.digitAt(KEY_SIGN_PLACE) === 3) &&
  keep(cursor, into);
