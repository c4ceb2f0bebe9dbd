/** What stands in a COPY text row; `undefined` has no place in a table. */
export type CopyValue = string | number | bigint | boolean | null;

const SPECIAL = /[\\\t\n\r]/;
const ESCAPES: Readonly<Record<string, string>> = { '\\': '\\\\', '\t': '\\t', '\n': '\\n', '\r': '\\r' };

/** One value in PostgreSQL's COPY text format. */
export const copyField = (value: CopyValue): string => {
  if (value === null) return '\\N';
  if (typeof value !== 'string') return String(value);
  return SPECIAL.test(value) ? value.replace(/[\\\t\n\r]/g, (character) => ESCAPES[character]!) : value;
};

/** One line of PostgreSQL's COPY text format. */
export const copyLine = (values: readonly CopyValue[]): string => {
  let line = copyField(values[0]!);
  for (let i = 1; i < values.length; i += 1) line += `\t${copyField(values[i]!)}`;
  return `${line}\n`;
};

const CHUNK_CHARACTERS = 1 << 18;

/** Lines put together to chunks of some size, encoded at once. */
export const copyChunks = (lines: Iterable<string>): Buffer[] => {
  const chunks: Buffer[] = [];
  let chunk = '';
  for (const line of lines) {
    chunk += line;
    if (chunk.length < CHUNK_CHARACTERS) continue;
    chunks.push(Buffer.from(chunk));
    chunk = '';
  }
  if (chunk !== '') chunks.push(Buffer.from(chunk));
  return chunks;
};
