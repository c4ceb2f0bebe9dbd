import type { Table } from '@roundhouse/entities/tables';
import type { CopyRows } from './copy-in.js';

const SPECIAL = /[\\\t\n\r]/;
const ESCAPES: Readonly<Record<string, string>> = { '\\': '\\\\', '\t': '\\t', '\n': '\\n', '\r': '\\r' };

type CopyValue = string | number | bigint | boolean | readonly string[] | null;

/** One value in PostgreSQL's COPY text format. Arrays hold keys and hashes, which need no quotes. */
const copyField = (value: CopyValue): string => {
  if (typeof value === 'string')
    return SPECIAL.test(value) ? value.replace(/[\\\t\n\r]/g, (character) => ESCAPES[character]!) : value;
  if (value === null) return '\\N';
  return typeof value === 'object' ? `{${value.join(',')}}` : String(value);
};

const CHUNK_CHARACTERS = 1 << 18;

/** Returns a function that encodes the rows of a table; large chunks cost less than single lines. */
export const textInto = <Row extends object>(table: Table<Row>): ((rows: Iterable<Row>) => CopyRows) => {
  const columns = table.columns.map(({ name }) => name);
  const [first, ...others] = table.columns.map(({ property }) => property as keyof Row);
  const fieldOf = (row: Row, property: keyof Row): string => copyField(row[property] as CopyValue);
  return (rows) => {
    const chunks: Buffer[] = [];
    let chunk = '';
    for (const row of rows) {
      chunk += fieldOf(row, first!);
      for (let i = 0; i < others.length; i += 1) chunk += `\t${fieldOf(row, others[i]!)}`;
      chunk += '\n';
      if (chunk.length < CHUNK_CHARACTERS) continue;
      chunks.push(Buffer.from(chunk));
      chunk = '';
    }
    if (chunk !== '') chunks.push(Buffer.from(chunk));
    return { table: table.name, columns, format: 'text', chunks };
  };
};
