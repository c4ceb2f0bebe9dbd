import { hexOfForm, type Column, type Table } from '@roundhouse/entities/tables';
import type { CopyRows } from './copy-in.js';

const SPECIAL = /[\\\t\n\r]/;
const ESCAPES: Readonly<Record<string, string>> = { '\\': '\\\\', '\t': '\\t', '\n': '\\n', '\r': '\\r' };

/** A value in PostgreSQL's COPY text format. */
type CopyField = (value: unknown) => string;

const textField: CopyField = (value) => {
  const text = value as string;
  return SPECIAL.test(text) ? text.replace(/[\\\t\n\r]/g, (character) => ESCAPES[character]!) : text;
};

/** How the values of a column are written. Bytes begin with `\x`; COPY turns two backslashes into one. */
const fieldOf = ({ type, form, usual, isNullable }: Column): CopyField => {
  const written = ((): CopyField => {
    if (type === 'bytea[]') return (value) => `{${(value as string[]).map(quotedBytes).join(',')}}`;
    if (type.endsWith('[]')) return (value) => `{${String(value)}}`;
    if (form !== undefined) return (value) => `\\\\x${hexOfForm(form, value as string)}`;
    if (type === 'json') return (value) => textField(JSON.stringify(value));
    return type === 'text' ? textField : String;
  })();
  if (usual !== undefined) return (value) => (value === usual ? '\\N' : written(value));
  return isNullable ? (value) => (value === null ? '\\N' : written(value)) : written;
};

/** An array's text has a backslash twice, and COPY each of these twice. */
const quotedBytes = (hex: string): string => `"\\\\\\\\x${hex}"`;

const CHUNK_CHARACTERS = 1 << 18;

/** Returns a function that encodes the rows of a table; large chunks cost less than single lines. */
export const textInto = <Row extends object>(table: Table<Row>): ((rows: Iterable<Row>) => CopyRows) => {
  const columns = table.columns.map(({ name }) => name);
  const fields = table.columns.map((column) => ({
    property: column.property as keyof Row,
    written: fieldOf(column),
  }));
  const [first, ...others] = fields;
  return (rows) => {
    const chunks: Buffer[] = [];
    let chunk = '';
    for (const row of rows) {
      chunk += first!.written(row[first!.property]);
      for (const { property, written } of others) chunk += `\t${written(row[property])}`;
      chunk += '\n';
      if (chunk.length < CHUNK_CHARACTERS) continue;
      chunks.push(Buffer.from(chunk));
      chunk = '';
    }
    if (chunk !== '') chunks.push(Buffer.from(chunk));
    return { table: table.name, columns, format: 'text', chunks };
  };
};
