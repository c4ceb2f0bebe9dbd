import type { Readable } from 'node:stream';
import { namesOf } from '@roundhouse/entities/sql';
import { SNAPSHOT_TABLES } from './snapshot-tables.js';
import { escapeLiteral, type ClientBase } from 'pg';
import { to as copyTo } from 'pg-copy-streams';

/** Pages of a table that become one part: 16 MiB. It bounds the memory, and the work that is lost by one damaged byte. */
const PART_PAGES = 2_048;

/** A range of a table's pages, the end excluded. */
export interface PageRange {
  readonly table: string;
  readonly first: number;
  readonly end: number;
}

const SELECT_PAGES = `SELECT (pg_relation_size($1::regclass) / current_setting('block_size')::integer)::integer AS pages`;

const BEGIN = 'BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY';

/** Sessions of the indexer's role end if they are idle in a transaction; some limits are new in later versions. */
const LIFT_LIMITS = `
SELECT set_config(name, '0', false) FROM pg_settings WHERE name IN (
  'statement_timeout', 'idle_in_transaction_session_timeout', 'idle_session_timeout', 'transaction_timeout')`;

export const liftLimits = async (client: ClientBase): Promise<void> => {
  await client.query(LIFT_LIMITS);
};

/** Begins a transaction on each connection; all of them see the same moment. A writer may go on meanwhile. */
export const beginShared = async (clients: readonly ClientBase[]): Promise<void> => {
  const [first, ...others] = clients;
  await Promise.all(clients.map(liftLimits));
  await first!.query(BEGIN);
  const { rows } = await first!.query<{ id: string }>('SELECT pg_export_snapshot() AS id');
  for (const client of others)
    await client.query(`${BEGIN}; SET TRANSACTION SNAPSHOT ${escapeLiteral(rows[0]!.id)}`);
};

/** All pages of the tables that a snapshot holds, in ranges of a bounded size. Call it within the transaction. */
export const listPageRanges = async (client: ClientBase, partPages = PART_PAGES): Promise<PageRange[]> => {
  const ranges: PageRange[] = [];
  for (const { name: table } of SNAPSHOT_TABLES) {
    const { rows } = await client.query<{ pages: number }>(SELECT_PAGES, [`roundhouse.${table}`]);
    const { pages } = rows[0]!;
    for (let first = 0; first < pages; first += partPages)
      ranges.push({ table, first, end: Math.min(first + partPages, pages) });
  }
  return ranges;
};

/** The rows of a range in COPY's binary form. `rowCount` is right when the stream has ended. */
export const copyRange = (
  client: ClientBase,
  { table: name, first, end }: PageRange,
): Readable & { readonly rowCount: number } => {
  const { columns } = SNAPSHOT_TABLES.find((table) => table.name === name)!;
  // COPY takes no parameters. PostgreSQL reads only these pages (a TID range scan).
  return client.query(
    copyTo(
      `COPY (SELECT ${namesOf(columns)} FROM roundhouse.${name} WHERE ctid >= '(${first},0)' AND ctid < '(${end},0)')
       TO STDOUT (FORMAT binary)`,
    ),
  );
};
