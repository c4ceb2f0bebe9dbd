import type { BlockRef, Network } from '@roundhouse/chain';
import type { ClientBase } from 'pg';
import { DERIVED_TABLES } from '../verify/derived-tables.js';
import { createTemporaryTables, recompute, type BadBlock } from '../verify/recompute.js';
import { readStoredNetwork } from '../verify/stored-network.js';
import { HeadMovedError } from '../writer/head-moved.error.js';
import { inTransaction } from '../writer/in-transaction.js';
import { NOTIFY_HEAD } from '../writer/queries.js';
import { tellHead } from '../writer/tell-events.js';
import { replaceRows, type ReplacedRows } from './replace-rows.js';

export interface RebuildOptions {
  /** For how many blocks below the newest one before-images are made. */
  readonly undoDepth: number;
  readonly accountCapacity?: number;
  /** Of how many blocks, by the newest, how many are done. */
  readonly onProgress?: (done: number, of: number) => void;
  /** Called before each derived table is brought in; nothing of it is seen by others before all are. */
  readonly onTable?: (table: string) => void;
}

export type RebuildReport =
  /** There is nothing to rebuild from. */
  | { readonly kind: 'empty' }
  /** A stored block contradicts itself or the one below it: nothing was changed. */
  | {
      readonly kind: 'damaged';
      readonly block: BadBlock;
      /** The height up to which the blocks below it are sound; 0 where none is. */
      readonly lastSound: number;
    }
  | { readonly kind: 'rebuilt'; readonly head: BlockRef; readonly replaced: readonly ReplacedRows[] };

const SELECT_NEWEST = `SELECT height, id FROM public.blocks ORDER BY height DESC LIMIT 1`;

const SELECT_REVISION = `SELECT revision FROM public.head`;

// Answers that were made before are told from those that are made now by this alone. The row may be a new one.
const TOUCH_HEAD = `UPDATE public.head SET indexed_at = clock_timestamp(), revision = $1::bigint + 1`;

const readRevision = async (client: ClientBase): Promise<string> =>
  (await client.query<{ revision: string }>(SELECT_REVISION)).rows[0]?.revision ?? '0';

const readNewest = async (client: ClientBase): Promise<BlockRef | null> =>
  (await client.query<BlockRef>(SELECT_NEWEST)).rows[0] ?? null;

const bringIn = (
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
    await client.query(NOTIFY_HEAD, [`${head.height}:${head.id}`]);
    return replaced;
  });

/** With them goes the other meaning of the tables' names. */
const dropTemporaryTables = async (client: ClientBase): Promise<void> => {
  for (const { table } of DERIVED_TABLES) await client.query(`DROP TABLE pg_temp.${table}`);
};

const analyseTemporaryTables = async (client: ClientBase): Promise<void> => {
  for (const { table } of DERIVED_TABLES) await client.query(`ANALYZE pg_temp.${table}`);
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
  const replaced = await bringIn(client, head!, onTable ?? (() => undefined));
  return { kind: 'rebuilt', head: head!, replaced };
};

/**
 * Makes the derived tables anew from the stored blocks: computes them beside, as temporary tables, and brings what
 * differs in by one transaction, so that readers see all of it or nothing. Before-images are made anew, too. The
 * caller holds the writer's lock on `client`, which is to be ended afterwards. Throws `AssetMissingError` where the
 * stored blocks do not suffice, and `HeadMovedError` where somebody wrote all the same; nothing is changed then.
 */
export const rebuildIndex = async (client: ClientBase, options: RebuildOptions): Promise<RebuildReport> => {
  const network = await readStoredNetwork(client);
  const newest = await readNewest(client);
  if (network === null || newest === null) return { kind: 'empty' };
  return rebuild(client, network, newest, options);
};
