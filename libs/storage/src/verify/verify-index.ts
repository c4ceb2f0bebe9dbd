import type { BlockRef } from '@roundhouse/chain';
import type { ClientBase } from 'pg';
import { compareTables, type TableDifferences } from './compare-tables.js';
import { DERIVED_TABLES, DIGEST_TABLES } from './derived-tables.js';
import { createTemporaryTables, recompute, type BadBlock } from './recompute.js';
import { readStoredNetwork } from './stored-network.js';

export interface VerifyOptions {
  /** How many rows of a table are listed where they differ; the others are counted. At least 1. */
  readonly listed: number;
  readonly accountCapacity?: number;
  /** Of how many blocks, by the head, how many are done. */
  readonly onProgress?: (done: number, of: number) => void;
}

export interface IndexReport {
  /** The newest stored block that could be applied; null on an empty index. */
  readonly head: BlockRef | null;
  readonly badBlocks: readonly BadBlock[];
  /** The last bad block could not be applied, so that the derived tables were not compared. */
  readonly isBroken: boolean;
  readonly tables: readonly TableDifferences[];
  /** Whether the index keeps digests of its rounds; one that was begun without them is not blamed for it. */
  readonly hasDigests: boolean;
}

const SELECT_EXTENT = `
SELECT (SELECT height FROM public.head) AS head,
  coalesce((SELECT min(height) FROM public.undo_accounts), (SELECT max(height) + 1 FROM public.blocks)) AS first_undo,
  EXISTS (SELECT FROM public.state_sums) OR EXISTS (SELECT FROM public.round_digests) AS has_digests`;

interface Extent {
  readonly head: number | null;
  readonly first_undo: number | null;
  readonly has_digests: boolean;
}

/**
 * Computes all derived tables anew from the stored blocks and compares them with those of the index, in one snapshot:
 * an indexer may go on writing. Writes nothing but temporary tables, and leaves them on the connection, which is to
 * be ended then. Throws `AssetMissingError` where the stored blocks do not suffice.
 */
export const verifyIndex = async (
  client: ClientBase,
  { listed, accountCapacity, onProgress }: VerifyOptions,
): Promise<IndexReport> => {
  await createTemporaryTables(client);
  // Temporary tables may be written in it, and no others.
  await client.query('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY');
  try {
    const network = await readStoredNetwork(client);
    const { rows } = await client.query<Extent>(SELECT_EXTENT);
    const { head, first_undo: firstUndo, has_digests: hasDigests } = rows[0]!;
    if (network === null) return { head: null, badBlocks: [], isBroken: false, tables: [], hasDigests };
    const recomputed = await recompute(client, {
      network,
      firstUndo: firstUndo ?? 1,
      ...(accountCapacity === undefined ? {} : { accountCapacity }),
      onProgress: (height) => onProgress?.(height, head ?? height),
    });
    const compared = DERIVED_TABLES.filter((table) => hasDigests || !DIGEST_TABLES.includes(table));
    const tables = recomputed.isBroken ? [] : await compareTables(client, compared, listed);
    return { ...recomputed, tables, hasDigests };
  } finally {
    await client.query('ROLLBACK').catch(() => undefined);
  }
};
