import type { BlockRef } from '@roundhouse/chain';
import { DERIVED_TABLES } from '@roundhouse/entities/tables';
import type { ClientBase } from 'pg';
import { compareTables, type TableDifferences } from './compare-tables.js';
import { createTemporaryTables, recompute, type BadBlock } from './recompute.js';
import { readNetwork } from '../follow/network-row.js';

export interface VerifyOptions {
  /** How many differing rows of a table are listed, at least 1; the others are only counted. */
  readonly listed: number;
  readonly accountCapacity?: number;
  /** Called with the number of blocks done and the total. */
  readonly onProgress?: (done: number, of: number) => void;
}

export interface IndexReport {
  /** The newest stored block that could be applied; null on an empty index. */
  readonly head: BlockRef | null;
  readonly badBlocks: readonly BadBlock[];
  /** The last bad block could not be applied, so the derived tables were not compared. */
  readonly isBroken: boolean;
  readonly tables: readonly TableDifferences[];
}

const SELECT_EXTENT = `
SELECT (SELECT height FROM public.head) AS head,
  coalesce((SELECT min(height) FROM public.undo_accounts), (SELECT max(height) + 1 FROM public.blocks)) AS first_undo`;

interface Extent {
  readonly head: number | null;
  readonly first_undo: number | null;
}

/**
 * Computes all derived tables from the stored blocks and compares them with those of the index, in one snapshot: an
 * indexer may continue to write. Writes only temporary tables and leaves them on the connection, which must be ended
 * afterwards.
 */
export const verifyIndex = async (
  client: ClientBase,
  { listed, accountCapacity, onProgress }: VerifyOptions,
): Promise<IndexReport> => {
  await createTemporaryTables(client);
  // A read-only transaction can still write temporary tables.
  await client.query('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY');
  try {
    const stored = await readNetwork(client);
    const { rows } = await client.query<Extent>(SELECT_EXTENT);
    const { head, first_undo: firstUndo } = rows[0]!;
    if (stored === null) return { head: null, badBlocks: [], isBroken: false, tables: [] };
    const recomputed = await recompute(client, {
      network: stored.network,
      firstUndo: firstUndo ?? 1,
      ...(accountCapacity === undefined ? {} : { accountCapacity }),
      onProgress: (height) => onProgress?.(height, head ?? height),
    });
    const tables = recomputed.isBroken ? [] : await compareTables(client, DERIVED_TABLES, listed);
    return { ...recomputed, tables };
  } finally {
    await client.query('ROLLBACK').catch(() => undefined);
  }
};
