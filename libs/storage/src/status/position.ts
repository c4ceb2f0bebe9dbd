import { networkOf, type BlockRef, type Network } from '@roundhouse/chain';
import { blockIdText } from '@roundhouse/entities/sql';
import type { Queryable } from '../queryable.js';

/** How far the index is, and the last known height of the source. */
export interface Position {
  readonly head: (BlockRef & { readonly timestamp: number }) | null;
  /** Null before the first answer of the source. */
  readonly sourceHeight: number | null;
  /** No block above it is applied; null if the chain lives. */
  readonly finalHeight: number | null;
  /** When the source was last asked, by the database's clock, as text: only for telling one answer from the next. */
  readonly checkedAt: string | null;
  /** Whether any block is refused, see `refuseBlock`. */
  readonly hasRefusals: boolean;
}

interface PositionRow extends Omit<Position, 'head'> {
  readonly height: number | null;
  readonly id: string;
  readonly timestamp: number;
}

const SELECT_POSITION = `
SELECT head.height, ${blockIdText('head.block_id')} AS id, head."timestamp", source_status.height AS "sourceHeight",
  network.final_height AS "finalHeight", source_status.checked_at::text AS "checkedAt",
  EXISTS (SELECT FROM refused_blocks) AS "hasRefusals"
FROM (SELECT) AS one LEFT JOIN head ON true LEFT JOIN source_status ON true LEFT JOIN network ON true`;

// xmin changes with every write of the row.
const SELECT_NETWORK = `
SELECT configuration::text AS text, xmin::text AS version FROM network WHERE xmin::text IS DISTINCT FROM $1`;

const SELECT_BLOCK_ID = `SELECT ${blockIdText('id')} AS id FROM blocks WHERE height = $1`;

const UPSERT_SOURCE_STATUS = `
INSERT INTO source_status (source, height, check_interval_ms) VALUES ($1, $2, $3)
ON CONFLICT (id) DO UPDATE SET source = excluded.source, height = excluded.height, checked_at = now(),
  check_interval_ms = excluded.check_interval_ms`;

export const readPosition = async (db: Queryable): Promise<Position> => {
  const { rows } = await db.query<PositionRow>(SELECT_POSITION);
  const { height, id, timestamp, ...others } = rows[0]!;
  return { head: height === null ? null : { height, id, timestamp }, ...others };
};

interface StoredNetwork {
  readonly network: Network;
  /** The stored text; writing the same configuration again does not change it. */
  readonly text: string;
  /** Changes with each write of the row. */
  readonly version: string;
}

/** The stored chain of this index; null before the first run of an indexer, or if its version is still `knownVersion`. */
export const readNetwork = async (
  db: Queryable,
  knownVersion: string | null = null,
): Promise<StoredNetwork | null> => {
  const { rows } = await db.query<Omit<StoredNetwork, 'network'>>(SELECT_NETWORK, [knownVersion]);
  return rows[0] ? { network: networkOf(rows[0].text), ...rows[0] } : null;
};

/** The id of the index's block at `height`; null if it has none. */
export const findBlockId = async (db: Queryable, height: number): Promise<string | null> => {
  const { rows } = await db.query<{ id: string }>(SELECT_BLOCK_ID, [height]);
  return rows[0]?.id ?? null;
};

/** Stores the source's height and how soon it is asked again: all that the api knows of the source. */
export const writeSourceStatus = async (
  db: Queryable,
  source: string,
  height: number,
  checkIntervalMs: number,
): Promise<void> => {
  await db.query(UPSERT_SOURCE_STATUS, [source, height, checkIntervalMs]);
};
