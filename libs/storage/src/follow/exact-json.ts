const STRING_OR_NUMBER = /"(?:[^"\\]|\\.)*"|-?\d[\d.eE+-]*/g;

const LONG_INTEGER = /^-?\d{16,}$/;

/** Parses JSON; integers of 16 or more digits become text, so that no digit is lost. */
export const parseExactJson = (json: string): unknown =>
  JSON.parse(json.replace(STRING_OR_NUMBER, (token) => (LONG_INTEGER.test(token) ? `"${token}"` : token)));
