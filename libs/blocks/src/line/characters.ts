/** What a character of a JSON text can be part of, one bit each. */
export const DIGIT = 1;
export const HEX = 2;
/** Printable ASCII: the same in JSON, in a row for COPY and in any encoding. */
export const PLAIN = 4;
/** Any character that needs no escape within a text. */
const INSIDE = 8;

export const QUOTE = 0x22;
export const COMMA = 0x2c;
export const COLON = 0x3a;
export const ZERO = 0x30;
export const OPEN_LIST = 0x5b;
export const CLOSE_LIST = 0x5d;
export const OPEN_OBJECT = 0x7b;
export const CLOSE_OBJECT = 0x7d;
export const BACKSLASH = 0x5c;

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
export const KINDS = Uint8Array.from({ length: 256 }, (_, code) => kindsOf(code));
