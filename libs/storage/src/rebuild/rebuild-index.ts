import type { BlockRef, Network, Rules } from '@roundhouse/chain';
import { DERIVED_TABLES } from '@roundhouse/entities/tables';
import type { ClientBase } from 'pg';
import { blockIdText, knowsClaims } from '@roundhouse/entities/sql';
import { copyCheckpoint, dropCheckpoint, findCheckpoint } from '../checkpoint/checkpoint.js';
import { assertSameRounds, proveCheckpoint } from '../checkpoint/prove-checkpoint.js';
import { claimNetwork } from '../status/claim-network.js';
import { readNetwork } from '../status/position.js';
import { createTemporaryTables, recompute } from '../verify/recompute.js';
import type { BadBlock } from '../verify/replay.js';
import { HeadMovedError, notifyHead, tellHead } from '../writer/move-head.js';
import { inTransaction } from '../writer/in-transaction.js';
import { readHasDetails, readHasStatistics } from '../writer/load-ledger.js';
import { readUndoReach } from '../writer/undo-reach.js';
import { removeCertificates, replaceRows, type OnTable, type ReplacedRows } from './replace-rows.js';

export interface RebuildOptions {
  /** How many blocks below the newest one get before-images; none that history has told clients are final. */
  readonly undoDepth: number;
  /**
   * By which the blocks are computed, and which is stored: the same chain as the stored one, perhaps with other
   * `customTypes`. (Default: the stored one)
   */
  readonly network?: Network | undefined;
  /** Use no checkpoint, and drop it. (Default: false) */
  readonly fromGenesis?: boolean;
  /** Whether the index has history afterwards. If so, no checkpoint is used. (Default: false) */
  readonly keepsHistory?: boolean;
  readonly accountCapacity?: number;
  /** What the blocks must keep. (Default: every rule) */
  readonly rules?: Rules;
  /** Called with the height reached and that of the newest block. */
  readonly onProgress?: (height: number, of: number) => void;
  /** Called before each derived table is replaced; others see the new rows only after the commit. */
  readonly onTable?: OnTable;
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
  | {
      readonly kind: 'rebuilt';
      readonly head: BlockRef;
      /** Height of the checkpoint that it began with; 0 if it began with the genesis block. */
      readonly from: number;
      /** Set if `undoDepth` reaches below this height, but the index keeps history and has told clients that it is final. */
      readonly finalHeight: number | null;
      readonly replaced: readonly ReplacedRows[];
    };

const SELECT_NEWEST = `SELECT height, ${blockIdText('id')} AS id FROM roundhouse.blocks ORDER BY height DESC LIMIT 1`;

const SELECT_LOCAL = `SELECT revision, has_history, has_details, ${knowsClaims('roundhouse.claim_drifts')} AS knows_claims FROM roundhouse.head`;

// Only the revision distinguishes answers before the rebuild from those after it. $1 is the old revision, because the
// row itself may have been replaced.
const TOUCH_HEAD = `
UPDATE roundhouse.head SET indexed_at = clock_timestamp(), revision = $1::bigint + 1, has_history = $2, has_details = true,
  claims_height = height`;

// A certificate that is being made of rows before the rebuild is removed with the others.
const AWAIT_CERTIFICATES = `LOCK TABLE roundhouse.certificate_pages IN SHARE MODE`;

/** A sound index is proven again. */
const FORGET_PROBLEM = `UPDATE roundhouse.network SET end_problem = NULL WHERE end_problem IS NOT NULL`;

/** Other rows than those that were proven. */
const FORGET_PROOF = `
UPDATE roundhouse.network SET proven_at = NULL, end_problem = NULL WHERE final_height IS NOT NULL`;

/** What the blocks do not determine. */
interface LocalValues {
  readonly revision: string;
  readonly has_history: boolean;
  readonly has_details: boolean;
  readonly knows_claims: boolean;
}

const readLocal = async (client: ClientBase): Promise<LocalValues> =>
  (await client.query<LocalValues>(SELECT_LOCAL)).rows[0] ?? {
    revision: '0',
    has_history: false,
    has_details: true,
    knows_claims: true,
  };

const readNewest = async (client: ClientBase): Promise<BlockRef | null> =>
  (await client.query<BlockRef>(SELECT_NEWEST)).rows[0] ?? null;

const replaceAll = (
  client: ClientBase,
  head: BlockRef,
  from: number,
  { network, keepsHistory = false, onTable = () => undefined }: RebuildOptions,
): Promise<ReplacedRows[]> =>
  inTransaction(client, async () => {
    await client.query(AWAIT_CERTIFICATES);
    if ((await readNewest(client))?.id !== head.id) throw new HeadMovedError(head);
    // More before-images than before would reach below the checkpoint.
    if (from === 0) await dropCheckpoint(client);
    if (network !== undefined) await claimNetwork(client, network);
    const {
      revision,
      has_history: hadHistory,
      has_details: hadDetails,
      knows_claims: knewClaims,
    } = await readLocal(client);
    const replaced = await replaceRows(client, onTable);
    replaced.push(...(await removeCertificates(client, replaced)));
    await client.query(FORGET_PROBLEM);
    if (replaced.length === 0 && hadHistory === keepsHistory && knewClaims && hadDetails) return replaced;
    await client.query(TOUCH_HEAD, [revision, keepsHistory]);
    await client.query(FORGET_PROOF);
    await dropTemporaryTables(client);
    await tellHead(client, head.height, 0);
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

/** Blocks up to this height can never be undone because of answers that were sent as unchanging; 0 if there are none. */
const readFinalHeight = async (client: ClientBase): Promise<number> => {
  const reach = await readUndoReach(client);
  // The genesis block is never undone, before-images or not.
  return reach?.hasHistory && reach.lowest > 1 ? reach.lowest : 0;
};

/** Fills the temporary tables; returns the height that they stand for, 0 if there is no checkpoint to begin with. */
const loadCheckpoint = (client: ClientBase, network: Network, firstUndo: number): Promise<number> =>
  inTransaction(client, async () => {
    await client.query('SET TRANSACTION ISOLATION LEVEL REPEATABLE READ');
    const checkpoint = await findCheckpoint(client, network);
    if (checkpoint === null || checkpoint.height >= firstUndo) return 0;
    await copyCheckpoint(client);
    await proveCheckpoint(client, checkpoint);
    await assertSameRounds(client, checkpoint.height);
    return checkpoint.height;
  });

const rebuild = async (
  client: ClientBase,
  network: Network,
  newest: BlockRef,
  options: RebuildOptions,
): Promise<RebuildReport> => {
  const { undoDepth, fromGenesis = false, keepsHistory = false, accountCapacity } = options;
  // An index that drops its history makes no promises any more.
  const finalHeight = keepsHistory ? await readFinalHeight(client) : 0;
  await createTemporaryTables(client);
  const wanted = Math.max(1, newest.height - undoDepth + 1);
  const firstUndo = Math.max(wanted, finalHeight + 1);
  const isWhole = (await readHasDetails(client, 'roundhouse.head')) && (await readHasStatistics(client));
  const from =
    isWhole && !fromGenesis && !keepsHistory ? await loadCheckpoint(client, network, firstUndo) : 0;
  const { head, badBlocks } = await recompute(client, {
    network,
    firstUndo,
    keepsHistory,
    keepsDetails: true,
    keepsStatistics: true,
    continues: from > 0,
    stopsAtBadBlock: true,
    rules: options.rules,
    ...(accountCapacity === undefined ? {} : { accountCapacity }),
    onProgress: (height) => options.onProgress?.(height, newest.height),
  });
  const [block] = badBlocks;
  if (block) {
    await dropTemporaryTables(client);
    return { kind: 'damaged', block, lastSound: head?.height ?? 0 };
  }
  await analyseTemporaryTables(client);
  const replaced = await replaceAll(client, head!, from, options);
  return {
    kind: 'rebuilt',
    head: head!,
    from,
    finalHeight: firstUndo > wanted ? finalHeight : null,
    replaced,
  };
};

/**
 * Computes the derived tables from the checkpoint and the stored blocks above it (or from all blocks, if there is no
 * checkpoint, or history is kept) in temporary tables, before-images included. Then replaces the rows that differ in one transaction, so
 * readers see all of it or nothing. The caller holds the writer's lock on `client`, which must be ended afterwards. Throws
 * `HeadMovedError` if another writer wrote despite the lock; nothing is changed then. Throws `CheckpointRefusedError` if
 * the checkpoint does not fit the index.
 */
export const rebuildIndex = async (client: ClientBase, options: RebuildOptions): Promise<RebuildReport> => {
  const stored = await readNetwork(client);
  const newest = await readNewest(client);
  if (stored === null || newest === null) return { kind: 'empty' };
  return rebuild(client, options.network ?? stored.network, newest, options);
};
