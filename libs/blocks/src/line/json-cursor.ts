import { parseLosslessJson } from '@roundhouse/chain';

/** The kinds of characters in JSON, one bit each. A character can be of several kinds. */
const DIGIT = 1;
const HEX = 2;
/** Printable ASCII: the same in JSON, in a row for COPY and in any encoding. */
const PLAIN = 4;
/** Any character that needs no escape within a text. */
const INSIDE = 8;

const QUOTE = 0x22;
export const COMMA = 0x2c;
export const COLON = 0x3a;
const ZERO = 0x30;
export const OPEN_LIST = 0x5b;
export const CLOSE_LIST = 0x5d;
export const OPEN_OBJECT = 0x7b;
export const CLOSE_OBJECT = 0x7d;
const BACKSLASH = 0x5c;

const kindsOf = (code: number): number => {
  if (code < 0x20 || code === QUOTE || code === BACKSLASH) return 0;
  const character = String.fromCharCode(code);
  return (
    INSIDE |
    (code < 0x7f ? PLAIN : 0) |
    (/\d/.test(character) ? DIGIT : 0) |
    (/[\da-f]/.test(character) ? HEX : 0)
  );
};

/** The kinds of each byte of UTF-8; 0 for those that end a text or begin an escape. */
const KINDS = Uint8Array.from({ length: 256 }, (_, code) => kindsOf(code));

const SPACE = 0x20;
const TAB = 0x09;
const RETURN = 0x0d;

const LITERALS = ['null', 'true', 'false'].map((word) => Buffer.from(word));

const EMPTY = Buffer.alloc(0);

/**
 * Walks over JSON in bytes and finds the positions of its texts and numbers, without making strings or objects. It
 * returns false for anything that is not in the plain form that sources write: escapes, signs, fractions, errors.
 */
export class JsonCursor {
  private bytes: Buffer = EMPTY;
  private at = 0;
  private end = 0;
  /** The text (without its quotes) or number that was read last. */
  start = 0;
  stop = 0;
  /** The kinds that every character of that text or number has. */
  private kinds = 0;

  open(bytes: Buffer, start: number, end: number): void {
    this.bytes = bytes;
    this.at = start;
    this.end = end;
  }

  get length(): number {
    return this.stop - this.start;
  }

  /** The digit at `place` of the number that was read last, as a value from 0 to 9. */
  digitAt(place: number): number {
    return this.bytes[this.start + place]! - ZERO;
  }

  /** Whether the value that was read last equals `text` or sorts before it. Both have the same length. */
  isAtMost(text: Uint8Array): boolean {
    let i = 0;
    while (i < text.length && text[i] === this.bytes[this.start + i]) i += 1;
    return i === text.length || this.bytes[this.start + i]! < text[i]!;
  }

  get isDigits(): boolean {
    return (this.kinds & DIGIT) !== 0;
  }

  get isHex(): boolean {
    return (this.kinds & HEX) !== 0;
  }

  /** Whether only white space is left. */
  get isAtEnd(): boolean {
    this.skipSpace();
    return this.at === this.end;
  }

  /** Steps over `character` if it is next. */
  passes(character: number): boolean {
    this.skipSpace();
    if (this.bytes[this.at] !== character) return false;
    this.at += 1;
    return true;
  }

  /** Reads a text without escapes. */
  readText(): boolean {
    this.skipSpace();
    const { bytes } = this;
    if (bytes[this.at] !== QUOTE) return false;
    const start = this.at + 1;
    let kinds = -1;
    let at = start;
    // The loop ends at a character of no kind or at the end of the bytes. The text is complete only if that is a quote.
    for (let kind = KINDS[bytes[at]!]!; kind > 0; kind = KINDS[bytes[at]!]!) {
      kinds &= kind;
      at += 1;
    }
    if (bytes[at] !== QUOTE) return false;
    this.start = start;
    this.stop = at;
    this.kinds = kinds;
    this.at = at + 1;
    return true;
  }

  /** Like `readText`, but does not move if it returns false. */
  readUnescaped(): boolean {
    const before = this.at;
    if (this.readText()) return true;
    this.at = before;
    return false;
  }

  /** Reads a text of printable ASCII without escapes; does not step over any other. */
  readPlainText(): boolean {
    const before = this.at;
    if (this.readText() && (this.kinds & PLAIN) !== 0) return true;
    this.at = before;
    return false;
  }

  /** Reads a whole number without a sign. */
  readNumber(): boolean {
    this.skipSpace();
    const { bytes } = this;
    let at = this.at;
    while ((KINDS[bytes[at]!]! & DIGIT) !== 0) at += 1;
    if (at === this.at || (bytes[this.at] === ZERO && at > this.at + 1)) return false;
    this.start = this.at;
    this.stop = at;
    this.kinds = DIGIT;
    this.at = at;
    return true;
  }

  readNull(): boolean {
    this.skipSpace();
    return this.readWord(LITERALS[0]!);
  }

  /** Reads any value. `JSON.parse` checks escapes, lists and objects. */
  readAny(): boolean {
    if (this.readText() || this.readNumber()) return true;
    if (LITERALS.some((word) => this.readWord(word))) return true;
    return this.readParsed() !== undefined;
  }

  /** Returns the next text, list or object; undefined if there is none or it is malformed. */
  readParsed(): unknown {
    this.skipSpace();
    const start = this.at;
    let depth = 0;
    do {
      const character = this.bytes[this.at];
      if (character === QUOTE) this.skipEscapedText();
      else if (character === OPEN_OBJECT || character === OPEN_LIST) depth += 1;
      else if (character === CLOSE_OBJECT || character === CLOSE_LIST) depth -= 1;
      this.at += 1;
    } while (depth > 0 && this.at < this.end);
    try {
      return parseLosslessJson(this.bytes.toString('utf8', start, this.at));
    } catch {
      return undefined;
    }
  }

  /** Moves to the quote that ends the text, which begins here. */
  private skipEscapedText(): void {
    const { bytes } = this;
    this.at += 1;
    while (this.at < this.end && bytes[this.at] !== QUOTE) this.at += bytes[this.at] === BACKSLASH ? 2 : 1;
  }

  private readWord(word: Buffer): boolean {
    for (let i = 0; i < word.length; i += 1) if (this.bytes[this.at + i] !== word[i]) return false;
    this.at += word.length;
    return true;
  }

  private skipSpace(): void {
    let next = this.bytes[this.at];
    while (next === SPACE || next === TAB || next === RETURN) next = this.bytes[(this.at += 1)];
  }
}
