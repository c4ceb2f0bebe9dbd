import type { HistoryRecords } from '@roundhouse/chain';
import {
  historyBalances,
  historyDelegates,
  historyRankings,
  historyWeights,
  type Table,
} from '@roundhouse/entities/tables';
import { LENGTH_BYTES, textInto, type CopyRows } from './copy.js';

// PostgreSQL's documentation, "COPY", "Binary Format": a signature, no flags, no extension; after the rows a field
// count of -1.
const COPY_HEADER = Buffer.concat([Buffer.from('PGCOPY\n\xff\r\n\0', 'latin1'), Buffer.alloc(8)]);
const COPY_TRAILER = Buffer.from('ffff', 'hex');

type Write = (view: DataView, at: number, value: never) => void;

/** The types whose values have a fixed size, and how COPY's binary form writes them. */
const FIXED: Readonly<Record<string, { readonly size: number; readonly write: Write }>> = {
  bigint: { size: 8, write: (view, at, value: bigint) => view.setBigInt64(at, value) },
  integer: { size: 4, write: (view, at, value: number) => view.setInt32(at, value) },
  boolean: { size: 1, write: (view, at, value: boolean) => view.setUint8(at, value ? 1 : 0) },
};

const FIELD_COUNT_BYTES = 2;

/**
 * Like `textInto`, for a table of numbers and flags without nulls. All its rows have the same size, so they take one
 * buffer, and no text.
 */
const numbersInto = <Row extends object>(table: Table<Row>): ((rows: readonly Row[]) => CopyRows) => {
  const columns = table.columns.map(({ name }) => name);
  const fields = table.columns.map(({ property, type }) => ({
    property: property as keyof Row,
    ...FIXED[type]!,
  }));
  const rowBytes = fields.reduce((sum, { size }) => sum + LENGTH_BYTES + size, FIELD_COUNT_BYTES);
  const encode = (rows: readonly Row[]): Buffer => {
    const bytes = Buffer.allocUnsafe(rows.length * rowBytes);
    const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
    let at = 0;
    for (const row of rows) {
      view.setInt16(at, fields.length);
      at += FIELD_COUNT_BYTES;
      for (const { property, size, write } of fields) {
        view.setInt32(at, size);
        write(view, at + LENGTH_BYTES, row[property] as never);
        at += LENGTH_BYTES + size;
      }
    }
    return bytes;
  };
  return (rows) => ({
    table: table.name,
    columns,
    format: 'binary',
    chunks: rows.length === 0 ? [] : [COPY_HEADER, encode(rows), COPY_TRAILER],
  });
};

const balanceRows = numbersInto(historyBalances);
const delegateRows = numbersInto(historyDelegates);
const weightText = textInto(historyWeights);
const rankingText = textInto(historyRankings);

/** What blocks add to the tables of history, except for votes. */
export const historyRows = ({ balances, delegates, weights, rankings }: HistoryRecords): CopyRows[] => [
  balanceRows(balances),
  delegateRows(delegates),
  weightText(weights),
  rankingText(rankings),
];
