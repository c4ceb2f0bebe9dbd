import type { Readable } from 'node:stream';
import { NODE_COPIES, NODE_COPY_FUNCTIONS } from '@roundhouse/entities/sql';
import type { ClientBase } from 'pg';
import { to as copyTo } from 'pg-copy-streams';

export type NodeTable = keyof typeof NODE_COPIES;

export const NODE_TABLES = Object.keys(NODE_COPIES) as readonly NodeTable[];

/** Makes what `copyNodeTable` needs, in the session alone. Call it before a read-only transaction begins. */
export const prepareNodeCopies = async (client: ClientBase): Promise<void> => {
  // They are temporary, so a database that is read-only by default takes them, too.
  await client.query(`BEGIN READ WRITE; ${NODE_COPY_FUNCTIONS}; COMMIT`);
};

/** The rows of Core 3.9.1's table in COPY's text form. `rowCount` is right when the stream has ended. */
export const copyNodeTable = (
  client: ClientBase,
  table: NodeTable,
): Readable & { readonly rowCount: number } => client.query(copyTo(`COPY (${NODE_COPIES[table]}) TO STDOUT`));
