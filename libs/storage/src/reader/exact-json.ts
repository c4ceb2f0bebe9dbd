const STRING_OR_LONG_INTEGER = /"(?:[^"\\]|\\.)*"|-?\d{16,}(?![\d.eE])/g;

/** Parses JSON as PostgreSQL writes it (plain digits), with integers of 16 digits and more as text: no digit is lost. */
export const parseExactJson = (json: string): unknown =>
  JSON.parse(json.replace(STRING_OR_LONG_INTEGER, (token) => (token.startsWith('"') ? token : `"${token}"`)));
