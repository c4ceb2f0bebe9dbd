import { MilestoneSchedule, roundOf, type Network, type Round, networkOf } from '@roundhouse/chain';
import type { ClientBase } from 'pg';
import { queryRows, blockIdText, knowsClaims, LOWEST_HEAD } from '@roundhouse/entities/sql';
import type { RefusedBlock } from '../staging/refused-blocks.js';
import { readChainEnd, type ChainEnd } from './chain-end.js';

export interface StatusHead {
  readonly height: number;
  readonly id: string;
  /** When its slot began. */
  readonly forgedAt: Date;
  readonly indexedAt: Date;
  /** Arktoshi. */
  readonly supply: bigint;
  readonly delegates: number;
  /** The round of the next block. */
  readonly nextRound: Round;
  /** The lowest height that can become the head again. */
  readonly lowestUndo: number;
  /** False if the index cannot tell the forgers, because an earlier version began it: it needs a rebuild. */
  readonly knowsClaims: boolean;
  /** Whether it has what later versions added: attributes, the weights of forgers and the fees of each day. */
  readonly hasDetails: boolean;
  /** Whether it has statistics of each day. */
  readonly hasStatistics: boolean;
  /** The blocks that FORGERS=active accepted although their forger has its slot in no list. */
  readonly misplaced: { readonly blocks: number; readonly newest: number } | null;
}

/** The state of an index, read from its tables alone in one snapshot. */
export interface IndexStatus {
  /** Null before the first run of an indexer. */
  readonly network: Network | null;
  /** Null before the genesis block. */
  readonly head: StatusHead | null;
  /** The source's last answer to an indexer; null before the first. */
  readonly source: { readonly name: string; readonly height: number; readonly checkedAt: Date } | null;
  /** Where the chain ends; null if it lives. */
  readonly end: ChainEnd | null;
  /** Names of the indexes of lists that are not built yet, as in a first sync. */
  readonly missingIndexes: readonly string[];
  /** How far PostgreSQL is with the first of them; null if nobody builds it. */
  readonly indexBuild: { readonly phase: string | null; readonly percent: number | null } | null;
  /** Blocks that are fetched but not applied. */
  readonly staged: { readonly ranges: number; readonly blocks: number; readonly bytes: number };
  /** The last refusal of the block above the head, if any. */
  readonly refused: RefusedBlock | null;
  /** The session that holds the writer's lock. */
  readonly writer: { readonly address: string | null; readonly since: Date } | null;
}

/** Not as text: its form depends on `datestyle`. */
const millisecondsOf = (moment: string): string => `(extract(epoch FROM ${moment}) * 1000)::bigint`;

/** `pg_locks` shows the key of an advisory lock as two halves, `classid` and `objid`. */
const SELECT_STATUS = `
SELECT head.height, ${blockIdText('head.block_id')} AS block_id, head."timestamp", head.supply, head.delegate_count, ${millisecondsOf('head.indexed_at')} AS indexed_at,
  ${LOWEST_HEAD} AS lowest_undo, ${knowsClaims()} AS knows_claims, head.has_details,
  EXISTS (SELECT FROM daily_statistics) AS has_statistics,
  (SELECT count(*)::integer FROM misplaced_blocks) AS misplaced, (SELECT max(height) FROM misplaced_blocks) AS newest_misplaced,
  source_status.source, source_status.height AS source_height, ${millisecondsOf('source_status.checked_at')} AS checked_at,
  network.configuration::text AS configuration,
  ARRAY(SELECT name FROM missing_indexes()) AS missing_indexes, build.pid IS NOT NULL AS is_building, build.phase, build.percent,
  staged.ranges, staged.blocks, staged.bytes,
  refused.height AS refused_height, refused.source AS refused_source, refused.reason, refused.refusals,
  greatest(extract(epoch FROM now() - refused.refused_at) * 1000, 0)::float8 AS refused_age_ms,
  writer.since, writer.address
FROM (
  SELECT count(*)::integer AS ranges, coalesce(sum(to_height - from_height + 1), 0)::integer AS blocks,
    coalesce(sum(size_bytes), 0)::float8 AS bytes
  FROM staged_ranges
) AS staged
LEFT JOIN head ON true LEFT JOIN source_status ON true LEFT JOIN network ON true
LEFT JOIN (
  SELECT pid, phase, (100 * CASE WHEN tuples_total > 0 THEN tuples_done::float8 / tuples_total
    WHEN blocks_total > 0 THEN blocks_done::float8 / blocks_total END)::integer AS percent
  FROM pg_stat_progress_create_index
  WHERE datid = (SELECT oid FROM pg_database WHERE datname = current_database()) LIMIT 1
) AS build ON true
LEFT JOIN refused_blocks AS refused ON refused.height = coalesce(head.height, 0) + 1
LEFT JOIN (
  SELECT ${millisecondsOf('pg_stat_activity.backend_start')} AS since, host(pg_stat_activity.client_addr) AS address
  FROM pg_locks JOIN pg_stat_activity USING (pid)
  WHERE pg_locks.locktype = 'advisory' AND pg_locks.granted AND pg_locks.classid = 0 AND pg_locks.objid = $1
    AND pg_locks.database = (SELECT oid FROM pg_database WHERE datname = current_database())
  LIMIT 1
) AS writer ON true`;

interface StatusRow {
  readonly height: number | null;
  readonly block_id: string;
  readonly timestamp: number;
  readonly supply: bigint;
  readonly delegate_count: number;
  readonly indexed_at: bigint;
  readonly lowest_undo: number;
  readonly knows_claims: boolean;
  readonly has_details: boolean;
  readonly has_statistics: boolean;
  readonly misplaced: number;
  readonly newest_misplaced: number | null;
  readonly source: string | null;
  readonly source_height: number;
  readonly checked_at: bigint;
  readonly configuration: string | null;
  readonly missing_indexes: readonly string[];
  readonly is_building: boolean;
  readonly phase: string | null;
  readonly percent: number | null;
  readonly ranges: number;
  readonly blocks: number;
  readonly bytes: number;
  readonly refused_height: number | null;
  readonly refused_source: string;
  readonly reason: string;
  readonly refusals: number;
  readonly refused_age_ms: number;
  readonly since: bigint | null;
  readonly address: string | null;
}

const dateOf = (milliseconds: bigint): Date => new Date(Number(milliseconds));

const refusedOf = (row: StatusRow): RefusedBlock | null =>
  row.refused_height === null
    ? null
    : {
        height: row.refused_height,
        source: row.refused_source,
        reason: row.reason,
        refusals: row.refusals,
        ageMs: row.refused_age_ms,
      };

const headOf = (row: StatusRow, network: Network | null): StatusHead | null => {
  if (row.height === null || network === null) return null;
  const milestones = new MilestoneSchedule(network.milestones);
  const { epoch } = milestones.at(row.height);
  return {
    height: row.height,
    id: row.block_id,
    forgedAt: new Date(Date.parse(epoch) + row.timestamp * 1_000),
    indexedAt: dateOf(row.indexed_at),
    supply: row.supply,
    delegates: row.delegate_count,
    nextRound: roundOf(milestones, row.height + 1),
    lowestUndo: row.lowest_undo,
    knowsClaims: row.knows_claims,
    hasDetails: row.has_details,
    hasStatistics: row.has_statistics,
    misplaced: row.newest_misplaced === null ? null : { blocks: row.misplaced, newest: row.newest_misplaced },
  };
};

/** `writerLock` is the key of the advisory lock that the one writer holds (below 2^32). */
export const readIndexStatus = async (client: ClientBase, writerLock: number): Promise<IndexStatus> => {
  const [row] = (await queryRows<StatusRow>(client, SELECT_STATUS, [writerLock])) as [StatusRow];
  const network = row.configuration === null ? null : networkOf(row.configuration);
  return {
    network,
    head: headOf(row, network),
    source:
      row.source === null
        ? null
        : { name: row.source, height: row.source_height, checkedAt: dateOf(row.checked_at) },
    end: await readChainEnd(client),
    missingIndexes: row.missing_indexes,
    indexBuild: row.is_building ? { phase: row.phase, percent: row.percent } : null,
    staged: { ranges: row.ranges, blocks: row.blocks, bytes: row.bytes },
    refused: refusedOf(row),
    writer: row.since === null ? null : { address: row.address, since: dateOf(row.since) },
  };
};
