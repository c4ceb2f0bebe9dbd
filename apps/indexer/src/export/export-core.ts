import { pipeline } from 'node:stream/promises';
import { OperatorError } from '@roundhouse/config';
import { copyNodeTable, NODE_TABLES, prepareNodeCopies, readUnknownTypes } from '@roundhouse/storage';
import type { ClientBase } from 'pg';
import { writeHashedWhole } from '../files/write-whole.js';
import { ExportFolder, type Outcome } from './export-folder.js';
import { readExportable } from './exportable.js';

const FORMAT_VERSION = 1;

/** PostgreSQL's code: a node has smaller integers for some columns. */
const OUT_OF_RANGE = '22003';

const fileOf = (table: string): string => `${table}.copy`;

/** In one transaction: a node that starts in between finds all of it or nothing. */
const LOAD = `\\set ON_ERROR_STOP on
BEGIN;
TRUNCATE ${NODE_TABLES.join(', ')};
${NODE_TABLES.map((table) => `\\copy ${table} FROM '${fileOf(table)}'`).join('\n')}
COMMIT;
ANALYZE;
`;

const assertKnownTypes = async (client: ClientBase): Promise<void> => {
  const [unknown] = await readUnknownTypes(client);
  if (unknown === undefined) return;
  const { typeGroup, type, firstHeight } = unknown;
  throw new OperatorError(
    `Block ${firstHeight} has a transaction of the unknown type ${type} of group ${typeGroup}, whose bytes the index does not have: fill a node from a node instead.`,
  );
};

const explain = (error: Error & { readonly code?: string }): never => {
  if (error.code !== OUT_OF_RANGE) throw error;
  throw new OperatorError(`The tables of a node cannot hold this chain (${error.message}).`, {
    cause: error,
  });
};

/**
 * Writes the tables from which a node starts, as they are at the head, into a folder that is empty, or has an interrupted export of
 * the same head.
 */
export const exportCore = async (client: ClientBase, path: string, signal: AbortSignal): Promise<Outcome> => {
  await prepareNodeCopies(client);
  await client.query('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY');
  const { head, network } = await readExportable(client);
  await assertKnownTypes(client);
  const about = { version: FORMAT_VERSION, network, partition: null, tables: {} };
  const folder = await ExportFolder.open(path, { format: 'roundhouse core', ...about });
  const write = async (): Promise<void> => {
    if (folder.isComplete) throw new OperatorError(`${path} holds a complete export: name another folder.`);
    await folder.keepOnly(head.id);
    for (const table of NODE_TABLES) {
      const name = fileOf(table);
      if (folder.find(name) !== undefined) continue;
      const rows = copyNodeTable(client, table);
      const sum = await writeHashedWhole(folder.pathOf(name), (add) =>
        pipeline(
          rows,
          async (chunks: AsyncIterable<Buffer>) => {
            for await (const chunk of chunks) await add(chunk);
          },
          { signal },
        ),
      );
      await folder.add({ name, first: 1, last: head.height, id: head.id, rows: rows.rowCount, ...sum });
    }
    await folder.finish({ 'load.sql': LOAD });
  };
  const isWhole = await folder.fill(signal, () => write().catch(explain));
  const message = isWhole
    ? `Wrote the tables of a node at height ${head.height} to ${path}. Load them with "cd ${path} && psql -f load.sql NODE_DATABASE".`
    : `Stopped: ${path} is not complete. The same command continues, or starts from the beginning if the index has another head then.`;
  return { isWhole, message };
};
