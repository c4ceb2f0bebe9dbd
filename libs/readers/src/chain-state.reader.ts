import { AddressBook, MilestoneSchedule, type BlockRef, type Network, networkOf } from '@roundhouse/chain';
import pg from 'pg';
import { EXACT_TYPES, blockIdText } from '@roundhouse/entities/sql';
import { named, type ReaderPool } from './at-head.js';

/** Of keys, kept for answers. */
const MOST_ADDRESSES = 20_000;

/** The newest indexed block and the counters that belong to it. */
export interface HeadRecord extends BlockRef {
  /** Seconds since the chain's epoch. */
  readonly timestamp: number;
  /** Arktoshi. */
  readonly supply: bigint;
  readonly delegateCount: number;
  /** Microseconds since 1970 by the database's clock, which may go back. */
  readonly indexedAtUs: bigint;
  /** Grows with each move of the head, also when blocks are undone. */
  readonly revision: bigint;
}

export interface NetworkRecord {
  readonly network: Network;
  readonly milestones: MilestoneSchedule;
  /** No table has the address of every key, and to compute one takes longer than the rest of a row. */
  readonly addresses: AddressBook;
  /** Changes with each write of the row. */
  readonly version: string;
}

/** The chain has ended at the head, and the index needs no node any more. */
export interface EndRecord {
  /** When all blocks were verified; null until then. No answer changes from then on. */
  readonly provenAt: Date | null;
}

/** Read in one snapshot. */
export interface ChainState {
  /** Whether this is a replica: only a replica can be behind. */
  readonly isReplica: boolean;
  /** How old the newest change is that the replica shows; 0 if it has all. Null if this is no replica, or unknown. */
  readonly replicaLagSeconds: number | null;
  readonly head: HeadRecord | null;
  readonly network: NetworkRecord | null;
  /** Whether the indexes that only lists need are there; they are not during a first sync. */
  readonly hasListIndexes: boolean;
  /** Null while the chain lives. */
  readonly end: EndRecord | null;
  /** The node's height as the indexer last heard of it; the head's if the chain has ended. */
  readonly sourceHeight: number | null;
  /** How long the node has been silent; 0 while that is within the limit. */
  readonly sourceSilentSeconds: number;
}

/** The head's columns are null before the genesis block. */
interface StateRow extends HeadRecord {
  readonly is_replica: boolean;
  readonly has_list_indexes: boolean;
  readonly has_ended: boolean;
  readonly proven_ms: number | null;
  readonly source_height: number | null;
  readonly check_interval_ms: number | null;
  /** By the database's clock. */
  readonly source_age_seconds: number | null;
  readonly source_version: string | null;
  readonly network_version: string | null;
  /** That of the network, if its version is not the known one. */
  readonly configuration: string | null;
}

// xmin changes with each write of a row. Only then is the configuration read again.
/** $1: the known version of the network, or null. */
const SELECT_CHAIN_STATE = named(
  'chain-state',
  `SELECT h.height, ${blockIdText('h.block_id')} AS id, h."timestamp", h.supply, h.delegate_count AS "delegateCount",
       (extract(epoch FROM h.indexed_at) * 1000000)::bigint AS "indexedAtUs", h.revision,
       pg_is_in_recovery() AS is_replica, NOT EXISTS (SELECT FROM missing_indexes()) AS has_list_indexes, s.height AS source_height,
       s.check_interval_ms, extract(epoch FROM clock_timestamp() - s.checked_at)::float8 AS source_age_seconds,
       s.xmin::text AS source_version, n.xmin::text AS network_version,
       coalesce(h.height = n.final_height AND h.block_id = n.final_id, false) AS has_ended,
       (extract(epoch FROM n.proven_at) * 1000)::float8 AS proven_ms,
       CASE WHEN n.xmin::text IS DISTINCT FROM $1 THEN n.configuration::text END AS configuration
FROM (VALUES (1)) AS one (id)
LEFT JOIN head h ON h.id = one.id
LEFT JOIN source_status s ON s.id = one.id
LEFT JOIN network n ON n.id = one.id`,
);

// A receiver that runs, with all that it received replayed: then the primary is idle, however old its last change is.
const SELECT_REPLICA_LAG = named(
  'replica-lag',
  `SELECT CASE
  WHEN pg_last_wal_replay_lsn() >= pg_last_wal_receive_lsn() AND EXISTS (SELECT FROM pg_stat_wal_receiver) THEN 0
  WHEN pg_last_xact_replay_timestamp() IS NOT NULL
    THEN greatest(extract(epoch FROM clock_timestamp() - pg_last_xact_replay_timestamp()), 0)
END::float8 AS seconds`,
);

/** The node may be silent for this many intervals, plus the time that a restart of the indexer takes. */
const QUIET_INTERVALS = 3;
const QUIET_SECONDS = 15;

/** @param knownForSeconds how long this process has known the last news of the node */
const silentSeconds = (intervalMs: number | null, ageSeconds: number | null, knownForSeconds: number) => {
  const quiet = QUIET_SECONDS + ((intervalMs ?? 0) / 1000) * QUIET_INTERVALS;
  // After the database's clock went back, the last news lies in the future.
  const age = ageSeconds === null ? 0 : Math.max(ageSeconds, knownForSeconds);
  return age > quiet ? age : 0;
};

export class ChainStateReader {
  private network: NetworkRecord | null = null;
  /** Some managed servers refuse the functions that tell it. */
  private knowsReplicaLag = true;
  /** The row with the last news of the node, and when it was first read. */
  private news: { readonly version: string | null; readonly since: number } = { version: null, since: 0 };

  constructor(
    private readonly pool: ReaderPool,
    private readonly now: () => number = () => performance.now(),
  ) {}

  async readChainState(): Promise<ChainState> {
    const values = [this.network?.version ?? null];
    const { rows } = await this.pool.query({ ...SELECT_CHAIN_STATE, types: EXACT_TYPES, values });
    const { is_replica, has_list_indexes, source_height, source_version, check_interval_ms, ...row } =
      rows[0] as StateRow;
    const { source_age_seconds, network_version, configuration, has_ended, proven_ms, ...head } = row;
    if (source_version !== this.news.version) this.news = { version: source_version, since: this.now() };
    if (network_version === null) this.network = null;
    else if (configuration !== null) {
      const network = networkOf(configuration);
      const milestones = new MilestoneSchedule(network.milestones);
      const addresses = new AddressBook(network.pubKeyHash, MOST_ADDRESSES);
      this.network = { network, milestones, addresses, version: network_version };
    }
    const knownForSeconds = (this.now() - this.news.since) / 1000;
    return {
      isReplica: is_replica,
      replicaLagSeconds: is_replica ? await this.readReplicaLag() : null,
      head: (head.height as number | null) === null ? null : head,
      network: this.network,
      hasListIndexes: has_list_indexes,
      end: has_ended ? { provenAt: proven_ms === null ? null : new Date(proven_ms) } : null,
      sourceHeight: has_ended ? head.height : source_height,
      sourceSilentSeconds: has_ended
        ? 0
        : silentSeconds(check_interval_ms, source_age_seconds, knownForSeconds),
    };
  }

  private async readReplicaLag(): Promise<number | null> {
    if (!this.knowsReplicaLag) return null;
    try {
      const { rows } = await this.pool.query(SELECT_REPLICA_LAG);
      return (rows[0] as { seconds: number | null }).seconds;
    } catch (error) {
      if (!(error instanceof pg.DatabaseError)) throw error;
      this.knowsReplicaLag = false;
      return null;
    }
  }
}
