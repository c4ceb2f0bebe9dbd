import type { BlockRef, Network } from '@roundhouse/chain';
import { DERIVED_TABLES } from '@roundhouse/entities/tables';
import type { ClientBase } from 'pg';
import { blockIdText } from '../table-sql.js';
import { createTemporaryTables, recompute, type BadBlock } from '../verify/recompute.js';
import { readNetwork } from '../follow/network-row.js';
import { HeadMovedError } from '../writer/head-moved.error.js';
import { inTransaction } from '../writer/in-transaction.js';
import { notifyHead, tellHead } from '../writer/move-head.js';
import { replaceRows, type ReplacedRows } from './replace-rows.js';

export interface RebuildOptions {
  /** How many blocks below the newest one get before-images. */
  readonly undoDepth: number;
  readonly accountCapacity?: number;
  /** Called with the number of blocks done and the total. */
  readonly onProgress?: (done: number, of: number) => void;
  /** Called before each derived table is replaced; others see the new rows only after the commit. */
  readonly onTable?: (table: string) => void;
}

export type RebuildReport =
  /** There are no blocks to rebuild from. */
  | { readonly kind: 'empty' }
  /** A stored block contradicts itself or the one below it; nothing was changed. */
  | {
      readonly kind: 'damaged';
      readonly block: BadBlock;
      /** The newest sound block below it; 0 if there is none. */
      readonly lastSound: number;
    }
  | { readonly kind: 'rebuilt'; readonly head: BlockRef; readonly replaced: readonly ReplacedRows[] };

const SELECT_NEWEST = `SELECT height, ${blockIdText('id')} AS id FROM public.blocks ORDER BY height DESC LIMIT 1`;

const SELECT_REVISION = `SELECT revision FROM public.head`;

// Only the revision distinguishes answers before the rebuild from those after it. $1 is the old revision, because the
// row itself may have been replaced.
const TOUCH_HEAD = `UPDATE public.head SET indexed_at = clock_timestamp(), revision = $1::bigint + 1`;

const readRevision = async (client: ClientBase): Promise<string> =>
  (await client.query<{ revision: string }>(SELECT_REVISION)).rows[0]?.revision ?? '0';

const readNewest = async (client: ClientBase): Promise<BlockRef | null> =>
  (await client.query<BlockRef>(SELECT_NEWEST)).rows[0] ?? null;

const replaceAll = (
  client: ClientBase,
  head: BlockRef,
  onTable: (table: string) => void,
): Promise<ReplacedRows[]> =>
  inTransaction(client, async () => {
    if ((await readNewest(client))?.id !== head.id) throw new HeadMovedError(head);
    const revision = await readRevision(client);
    const replaced = await replaceRows(client, onTable);
    if (replaced.length === 0) return replaced;
    await client.query(TOUCH_HEAD, [revision]);
    await dropTemporaryTables(client);
    await tellHead(client, head.height, 0, undefined);
    await notifyHead(client, head);
    return replaced;
  });

/** After this, the tables' names mean the real tables again. */
const dropTemporaryTables = async (client: ClientBase): Promise<void> => {
  for (const { name } of DERIVED_TABLES) await client.query(`DROP TABLE pg_temp.${name}`);
};

const analyseTemporaryTables = async (client: ClientBase): Promise<void> => {
  for (const { name } of DERIVED_TABLES) await client.query(`ANALYZE pg_temp.${name}`);
};

const rebuild = async (
  client: ClientBase,
  network: Network,
  newest: BlockRef,
  { undoDepth, accountCapacity, onProgress, onTable }: RebuildOptions,
): Promise<RebuildReport> => {
  await createTemporaryTables(client);
  const { head, badBlocks } = await recompute(client, {
    network,
    firstUndo: Math.max(1, newest.height - undoDepth + 1),
    stopsAtBadBlock: true,
    ...(accountCapacity === undefined ? {} : { accountCapacity }),
    onProgress: (height) => onProgress?.(height, newest.height),
  });
  const [block] = badBlocks;
  if (block) {
    await dropTemporaryTables(client);
    return { kind: 'damaged', block, lastSound: head?.height ?? 0 };
  }
  await analyseTemporaryTables(client);
  const replaced = await replaceAll(client, head!, onTable ?? (() => undefined));
  return { kind: 'rebuilt', head: head!, replaced };
};

/**
 * Computes the derived tables from the stored blocks in temporary tables, before-images included. Then replaces the
 * rows that differ in one transaction, so readers see all of it or nothing. The caller holds the writer's lock on
 * `client`, which must be ended afterwards. Throws `HeadMovedError` if another writer wrote despite the lock; nothing is
 * changed then.
 */
export const rebuildIndex = async (client: ClientBase, options: RebuildOptions): Promise<RebuildReport> => {
  const stored = await readNetwork(client);
  const newest = await readNewest(client);
  if (stored === null || newest === null) return { kind: 'empty' };
  return rebuild(client, stored.network, newest, options);
};
