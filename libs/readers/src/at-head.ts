import type { BlockRef } from '@roundhouse/chain';
import { bytesOf } from '@roundhouse/entities/tables';
import { EXACT_TYPES, LOWEST_HEAD } from '@roundhouse/entities/sql';
import pg, { type CustomTypesConfig } from 'pg';
import { asUnavailable, HeadPassedError, NoHistoryError } from './errors.js';
import { jsonRows } from './json-object.js';

export interface Query {
  /** Sessions keep a statement with a name, so a name always has the same text. One with too many variants has none. */
  readonly name?: string;
  readonly text: string;
}

export interface NamedQuery extends Query {
  readonly name: string;
}

export const named = (name: string, text: string): NamedQuery => ({ name, text });

export interface Statement extends Query {
  readonly values?: unknown[];
  readonly types?: CustomTypesConfig;
}

export type StreamValue = Buffer | string | number | null;

/** Reads lists that are too large for memory, in pieces. */
export interface ListStreams {
  read(
    at: BlockRef,
    query: NamedQuery,
    values: readonly StreamValue[],
  ): AsyncGenerator<Buffer, void, undefined>;
}

/** The objects of a list as JSON, separated by commas, or, if there are too many, what reads them in pieces. */
export type ListOrStream = string | ((streams: ListStreams) => AsyncGenerator<Buffer, void, undefined>);

/** What the readers need of a connection pool. Its sessions are read-only. */
export interface ReaderPool {
  query(statement: Statement): Promise<{ rows: unknown[] }>;
}

/** A replica cancels a reading if it needs rows that the primary has removed, or holds a lock that replay waits for. */
const CONFLICTS_WITH_REPLAY: readonly unknown[] = ['40001', '40P01'];

const withoutName = ({ name: _, ...statement }: Statement): Statement => statement;

/**
 * Asks once more if replay on a replica has cancelled the reading; the second one sees a newer state. With `isPooled`,
 * no statement keeps its name: the next transaction may run in a session that does not know it.
 */
export const patientPool = (pool: ReaderPool, isPooled: boolean): ReaderPool => ({
  query: async (statement) => {
    const sent = isPooled ? withoutName(statement) : statement;
    try {
      return await pool.query(sent);
    } catch (error) {
      if (!(error instanceof pg.DatabaseError) || !CONFLICTS_WITH_REPLAY.includes(error.code)) throw error;
      return pool.query(sent);
    }
  },
});

/** The rows of any statement, with amounts as bigint. Throws `DatabaseUnavailableError`. */
export const rowsOf = async <Row>(
  pool: ReaderPool,
  { name, text }: Query,
  values: unknown[],
): Promise<Row[]> => {
  try {
    return (await pool.query({ name, text, types: EXACT_TYPES, values })).rows as Row[];
  } catch (error) {
    throw asUnavailable(error);
  }
};

/**
 * SQL about one head, `h`: $1 is its height, $2 its id. Everything else is outer-joined to it. One statement reads one
 * snapshot. No row means that the head has moved; a row of nulls means that nothing was found.
 */
export const atHead = (columns: string, joins = ''): string => `
SELECT ${columns}
FROM head h
${joins}
WHERE h.height = $1 AND h.block_id = $2`;

/** A statement of `atHead`; `order` is its last line. */
export const selectAtHead = (name: string, columns: string, joins?: string, order = ''): NamedQuery =>
  named(name, `${atHead(columns, joins)}\n${order}`);

/** The columns of `Past`, for what is asked of history. */
export const PAST = `h.has_history AS "hasHistory", (SELECT ${LOWEST_HEAD} FROM head) AS "lowestHead"`;

export interface Past {
  /** The lowest height that undoing can make the head: what was found at or below it never changes. */
  readonly lowestHead: number;
}

/** Throws `HeadPassedError`, `DatabaseUnavailableError`, and `NoHistoryError` if it asks for history that is not kept. */
export const rowsAtHead = async <Row extends object>(
  pool: ReaderPool,
  at: BlockRef,
  query: Query,
  ...values: readonly unknown[]
): Promise<[Row, ...Row[]]> => {
  const rows = await rowsOf<Row>(pool, query, [at.height, bytesOf('block id', at.id), ...values]);
  if (rows.length === 0) throw new HeadPassedError(at);
  if ((rows[0] as { readonly hasHistory?: boolean }).hasHistory === false) throw new NoHistoryError();
  return rows as [Row, ...Row[]];
};

/** The columns of the list that `joinList` joins. */
export const LIST = 'list.json, list.lost';

/** A join for `atHead`. */
export const joinList = (object: string, rows: string): string =>
  `CROSS JOIN LATERAL (${jsonRows(object, rows)}) list`;

/** A list at one head, for `Reader.list`. */
export const listAtHead = (name: string, object: string, rows: string): NamedQuery =>
  selectAtHead(name, LIST, joinList(object, rows));

/** The same list for `RowStreams`: a row for each object. */
export const streamAtHead = (name: string, object: string, rows: string, joins = ''): NamedQuery =>
  selectAtHead(
    name,
    'listed.json',
    `${joins}\nCROSS JOIN LATERAL (SELECT ${object} AS json FROM (${rows}) r OFFSET 0) listed`,
  );

/** The parts of a list that may be too large for memory. */
interface LargeParts {
  readonly rows: string;
  /** The same rows, unordered. */
  readonly counted: string;
  /** A longer list is streamed. Parameters, like the next two. */
  readonly most: string;
  readonly limit?: string;
  readonly offset?: string;
  /** Besides the list, with a comma after each. */
  readonly columns?: string;
  readonly joins?: string;
}

type LargeList = ReturnType<typeof largeList>;

/** Both forms of the list take the same parameters. */
export const largeList = (
  name: string,
  object: string,
  { rows, counted, most, limit = 'NULL', offset = '0', columns = '', joins = '' }: LargeParts,
) => ({
  listed: selectAtHead(
    name,
    `${columns} size.is_large, ${LIST}`,
    `${joins}
CROSS JOIN LATERAL (
  SELECT count(*) > ${most}::bigint AS is_large
  FROM (${counted} LIMIT least(${limit}::bigint, ${most}::bigint + 1) OFFSET ${offset}) counted
) size
${joinList(object, `${rows} LIMIT CASE WHEN size.is_large THEN 0 ELSE ${limit}::bigint END OFFSET ${offset}`)}`,
  ),
  streamed: streamAtHead(`${name}-stream`, object, `${rows} LIMIT ${limit} OFFSET ${offset}`, joins),
});

export interface JsonRow {
  readonly json: string | null;
  readonly lost: bigint;
}

/** The objects of a row of `jsonRows`, separated by commas; empty if there are none. */
export const jsonOf = (name: string, { json, lost }: JsonRow): string => {
  // A list that silently omits something would be worse than none.
  if (lost !== 0n)
    throw new Error(`The query "${name}" returned ${lost} rows with a null in a required field.`);
  return json ?? '';
};

/** Without the row of nulls that says that nothing was found. */
export const found = <Row extends object>(rows: readonly Row[], column: keyof Row): Row[] =>
  rows.filter((row) => row[column] !== null);

/**
 * The largest page, and one more, which shows whether another page follows. A literal, because the planner assumes a
 * tenth of the table for a limit that is a parameter.
 */
export const MOST_ROWS = 101;

/** The first `limit` rows, and the last of them if more follow, or else null. */
export const pageOf = <Row>(rows: readonly Row[], limit: number): { shown: Row[]; last: Row | null } => {
  const shown = rows.slice(0, limit);
  return { shown, last: rows.length > limit ? (shown.at(-1) ?? null) : null };
};

/** Asks at exactly one head. Every method throws as `rowsAtHead` does. */
export abstract class Reader {
  constructor(protected readonly pool: ReaderPool) {}

  protected rows<Row extends object>(at: BlockRef, query: Query, ...values: unknown[]) {
    return rowsAtHead<Row>(this.pool, at, query, ...values);
  }

  /** The only row. */
  protected async row<Row extends object>(at: BlockRef, query: Query, ...values: unknown[]): Promise<Row> {
    return (await this.rows<Row>(at, query, ...values))[0];
  }

  /** The objects of `listAtHead`, separated by commas; empty if there are none. */
  protected async list(at: BlockRef, query: NamedQuery, ...values: unknown[]): Promise<string> {
    return jsonOf(query.name, await this.row<JsonRow>(at, query, ...values));
  }

  /** The same with the other columns of the row. */
  protected async listWith<Row extends object>(at: BlockRef, query: NamedQuery, ...values: unknown[]) {
    const row = await this.row<Row & JsonRow>(at, query, ...values);
    return { ...row, list: jsonOf(query.name, row) };
  }

  /** The same of a list that may be too large for memory. */
  protected async largeList<Row extends object>(at: BlockRef, list: LargeList, ...values: StreamValue[]) {
    const { listed, streamed } = list;
    const row = await this.row<Row & JsonRow & { readonly is_large: boolean }>(at, listed, ...values);
    const found: ListOrStream = row.is_large
      ? (streams: ListStreams) => streams.read(at, streamed, values)
      : jsonOf(listed.name, row);
    return { ...row, found };
  }
}
