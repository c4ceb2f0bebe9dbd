import { MilestoneSchedule, parseNetwork, type BlockRef, type Network } from '@roundhouse/chain';
import { parseExactJson } from './exact-json.js';
import { SELECT_CHAIN_STATE, SELECT_NETWORK } from './queries/head.queries.js';
import type { ReaderPool } from './reader-pool.js';

/** The newest indexed block and the counters that belong to it. */
export interface HeadRecord extends BlockRef {
  /** Seconds since the chain's epoch. */
  readonly timestamp: number;
  /** Arktoshi. */
  readonly supply: bigint;
  readonly delegateCount: number;
  /** Microseconds since 1970 by the database's clock, which may go back. */
  readonly indexedAtUs: bigint;
  /** Grows with each move of the head, also where blocks are undone. */
  readonly revision: bigint;
}

export interface NetworkRecord {
  readonly network: Network;
  readonly milestones: MilestoneSchedule;
  /** Changes whenever the row is written. */
  readonly version: string;
}

/** All of one snapshot. */
export interface ChainState {
  /** Whether a replica was read: it alone can be behind. */
  readonly isReplica: boolean;
  readonly head: HeadRecord | null;
  readonly network: NetworkRecord | null;
  /** The node's height as the indexer last heard of it. */
  readonly sourceHeight: number | null;
  /** For how long nothing was heard of the node, by the database's clock; 0 where that is no longer than it may be. */
  readonly sourceSilentSeconds: number;
}

interface StateRow {
  readonly is_replica: boolean;
  readonly height: number | null;
  readonly block_id: string;
  readonly timestamp: number;
  readonly supply: string;
  readonly delegate_count: number;
  readonly indexed_at_us: string;
  readonly revision: string;
  readonly source_height: number | null;
  readonly check_interval_ms: number | null;
  readonly source_age_seconds: number | null;
  readonly network_version: string | null;
}

interface NetworkRow {
  readonly configuration: string;
  readonly version: string;
}

/** How many intervals may pass without an answer of the node, and what may be added to them: a restart of the indexer. */
const QUIET_INTERVALS = 3;
const QUIET_SECONDS = 15;

const silentSeconds = ({ check_interval_ms, source_age_seconds }: StateRow): number => {
  const quiet = QUIET_SECONDS + ((check_interval_ms ?? 0) / 1000) * QUIET_INTERVALS;
  const age = source_age_seconds ?? 0;
  return age > quiet ? age : 0;
};

export class ChainStateReader {
  private network: NetworkRecord | null = null;

  constructor(private readonly pool: ReaderPool) {}

  async readChainState(): Promise<ChainState> {
    const { rows } = await this.pool.query(SELECT_CHAIN_STATE);
    const row = rows[0] as StateRow;
    if (row.network_version !== (this.network?.version ?? null)) await this.readNetwork();
    return {
      isReplica: row.is_replica,
      head:
        row.height === null
          ? null
          : {
              height: row.height,
              id: row.block_id,
              timestamp: row.timestamp,
              supply: BigInt(row.supply),
              delegateCount: row.delegate_count,
              indexedAtUs: BigInt(row.indexed_at_us),
              revision: BigInt(row.revision),
            },
      network: this.network,
      sourceHeight: row.source_height,
      sourceSilentSeconds: silentSeconds(row),
    };
  }

  private async readNetwork(): Promise<void> {
    const { rows } = await this.pool.query(SELECT_NETWORK);
    const row = rows[0] as NetworkRow | undefined;
    if (!row) {
      this.network = null;
      return;
    }
    const network = parseNetwork(parseExactJson(row.configuration));
    this.network = { network, milestones: new MilestoneSchedule(network.milestones), version: row.version };
  }
}
