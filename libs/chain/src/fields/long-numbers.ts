// A string or a number. If a colon follows, it is a key and the colon is included. A number as a key must stay invalid. A
// string without an end goes on to the text's end: else each of its quotes would begin another long search.
const TOKEN = /("[^"\\]*(?:\\[^][^"\\]*)*(?:"|\\?$)|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?)(\s*:)?/g;

const LONG_INTEGER = /^-?\d{16,}$/;

// A long integer is parsed as a string of NUL, `n` and its digits. A string that really begins with NUL gets a second
// NUL.
const NUL = '\u0000';
const ESCAPED_NUL = '\\u0000';

const protect = (whole: string, token: string, colon: string | undefined): string => {
  if (colon !== undefined) return whole;
  if (token.startsWith(`"${ESCAPED_NUL}`)) return `"${ESCAPED_NUL}${token.slice(1)}`;
  if (!LONG_INTEGER.test(token) || Number.isSafeInteger(Number(token))) return whole;
  return `"${ESCAPED_NUL}n${token}"`;
};

const revive = (_key: string, value: unknown): unknown => {
  if (typeof value !== 'string' || !value.startsWith(NUL)) return value;
  return value.startsWith(NUL, 1) ? value.slice(1) : BigInt(value.slice(2));
};

/** Parses JSON in which integers beyond 2^53 − 1 either way become `bigint`. Throws `SyntaxError`. */
export const parseLongNumbers = (text: string): unknown => JSON.parse(text.replace(TOKEN, protect), revive);
