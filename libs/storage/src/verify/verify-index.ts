import { Rules, UnknownClaimsError, type BlockRef } from '@roundhouse/chain';
import { DERIVED_TABLES } from '@roundhouse/entities/tables';
import type { ClientBase } from 'pg';
import { knowsClaims } from '@roundhouse/entities/sql';
import {
  copyCheckpoint,
  copyLastingVotes,
  findCheckpoint,
  GENESIS,
  type OnProgress,
} from '../checkpoint/checkpoint.js';
import { proveCheckpoint } from '../checkpoint/prove-checkpoint.js';
import { listWrongCertificates } from '../certificate/wrong-certificates.js';
import { readNetwork } from '../status/position.js';
import { liftLimits } from '../snapshot/dump-tables.js';
import { readHasStatistics } from '../writer/load-ledger.js';
import { compareNetwork, compareTables, type TableDifferences } from './compare-tables.js';
import { createTemporaryTables, recompute, type RecomputeOptions } from './recompute.js';
import type { BadBlock } from './replay.js';

export interface VerifyOptions extends Pick<
  RecomputeOptions,
  'accountCapacity' | 'flushBlocks' | 'partSize' | 'rules' | 'verifiesSignatures'
> {
  /** Compute the whole history, even if there is a checkpoint. (Default: false, only what blocks above it add) */
  readonly fromGenesis?: boolean | undefined;
  /** How many differing rows of a table are listed, at least 1; the others are only counted. */
  readonly listed: number;
  /** Called with the height reached and that of the head, after each part; the next one waits for it. */
  readonly onProgress?: ((height: number, of: number) => void | Promise<void>) | undefined;
}

export interface StrayRows {
  readonly height: number;
  /** The rest of a sentence that begins with the height. */
  readonly problem: string;
}

export interface IndexReport {
  /** The newest stored block that could be applied; null on an empty index. */
  readonly head: BlockRef | null;
  /** The blocks above this height were verified. */
  readonly from: number;
  readonly badBlocks: readonly BadBlock[];
  /** Heights with rows that no block leads to, of which the lowest are listed, and those of wrong certificates. */
  readonly strays: readonly StrayRows[];
  /** The last bad block could not be applied, so the derived tables were not compared. */
  readonly isBroken: boolean;
  readonly tables: readonly TableDifferences[];
  /** The heights of blocks that FORGERS=active accepted although their forger has its slot in no list. */
  readonly misplaced: readonly number[];
}

const SELECT_EXTENT = `
SELECT (SELECT height FROM roundhouse.head) AS head, (SELECT has_history FROM roundhouse.head) AS has_history,
  coalesce((SELECT has_details FROM roundhouse.head), true) AS has_details,
  coalesce((SELECT ${knowsClaims('roundhouse.claim_drifts')} FROM roundhouse.head), true) AS knows_claims,
  coalesce((SELECT max(height) FROM roundhouse.blocks), 0) AS newest,
  coalesce((SELECT min(height) FROM roundhouse.undo_accounts), (SELECT max(height) + 1 FROM roundhouse.blocks), 1) AS first_undo`;

/** Names mean the tables of the index again. */
const NAME_TABLES = `SET LOCAL search_path = roundhouse, pg_temp`;

const SELECT_MISPLACED = `SELECT height FROM roundhouse.misplaced_blocks ORDER BY height`;

/** Of each kind. */
const MOST_STRAYS = 100;

/** The lowest heights of rows from `table`, of a range of its key. */
const strayHeights = (table: string, height: string, range: string, problem: string): string =>
  `(SELECT DISTINCT ${height} AS height, '${problem}' AS problem FROM roundhouse.${table}
    WHERE ${height} ${range} ORDER BY ${height} LIMIT ${MOST_STRAYS})`;

const NO_BLOCK = 'there are transactions, but no block';

/** Rows that no block above height 0 leads to. $1 is the newest block's height: a subquery would read all transactions. */
const SELECT_STRAYS = `${[
  strayHeights('blocks', 'height', '< 1', 'there is a block, but it is below the genesis block'),
  strayHeights('transactions', 'block_height', '< 1', NO_BLOCK),
  strayHeights('transactions', 'block_height', '> $1', NO_BLOCK),
].join(' UNION ALL ')} ORDER BY height`;

const NOTHING: IndexReport = {
  head: null,
  from: 0,
  badBlocks: [],
  strays: [],
  isBroken: false,
  tables: [],
  misplaced: [],
};

interface Extent {
  readonly head: number | null;
  readonly has_history: boolean | null;
  readonly has_details: boolean;
  readonly knows_claims: boolean;
  readonly newest: number;
  readonly first_undo: number;
}

/**
 * Computes all derived tables from the checkpoint and the stored blocks above it (or from all blocks, if there is no
 * checkpoint) and compares them with those of the index, in one snapshot: an indexer may continue to write. Writes only
 * temporary tables and leaves them on the connection, which must be ended afterwards. Throws `CheckpointRefusedError`,
 * and `UnknownClaimsError` on an index that an earlier version began.
 */
export const verifyIndex = async (
  client: ClientBase,
  { listed, onProgress, fromGenesis, ...options }: VerifyOptions,
): Promise<IndexReport> => {
  await liftLimits(client);
  await createTemporaryTables(client);
  // A read-only transaction can still write temporary tables.
  await client.query('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY');
  try {
    const stored = await readNetwork(client);
    if (stored === null) return { ...NOTHING };
    const { rows } = await client.query<Extent>(SELECT_EXTENT);
    const { head, newest, has_history: hasHistory, first_undo: firstUndo } = rows[0]!;
    if (!rows[0]!.knows_claims) throw new UnknownClaimsError('whether its rows are right');
    const keepsHistory = hasHistory === true;
    const onPart: OnProgress = (height) => onProgress?.(height, head ?? height);
    // A checkpoint has no history.
    const checkpoint =
      keepsHistory && fromGenesis
        ? null
        : await findCheckpoint(client, stored.network, { ...options, rules: options.rules ?? new Rules() });
    const start = checkpoint !== null && checkpoint.height < firstUndo ? checkpoint : GENESIS;
    if (start.height > 0) {
      await copyCheckpoint(client);
      await proveCheckpoint(client, start, onPart);
      await copyLastingVotes(client, start.height);
    }
    const recomputed = await recompute(client, {
      ...options,
      network: stored.network,
      firstUndo,
      keepsHistory,
      keepsDetails: rows[0]!.has_details,
      keepsStatistics: await readHasStatistics(client),
      feesFrom: start.height,
      continues: start.height > 0,
      onProgress: onPart,
    });
    const { rows: strays } = await client.query<StrayRows>(SELECT_STRAYS, [newest]);
    const tables = recomputed.isBroken ? [] : await compareTables(client, DERIVED_TABLES, start, listed);
    await client.query(NAME_TABLES);
    // What damaged tables say is no measure.
    const isSound = recomputed.badBlocks.length + strays.length + tables.length === 0;
    const { rows: misplaced } = await client.query<{ height: number }>(SELECT_MISPLACED);
    return {
      ...recomputed,
      from: start.height,
      strays: isSound ? await listWrongCertificates(client) : strays,
      tables: [...(await compareNetwork(client, stored.network)), ...tables],
      misplaced: misplaced.map(({ height }) => height),
    };
  } finally {
    await client.query('ROLLBACK').catch(() => undefined);
  }
};
