import type { BlockRef } from '@roundhouse/chain';
import {
  SEARCH_DELEGATES,
  SELECT_DELEGATES,
  SELECT_FORGED,
  SELECT_MATCHING_DELEGATES,
  SELECT_NEWEST_DELEGATE,
  type DelegateSort,
  type SortDirection,
} from './queries/delegate.queries.js';
import type { NamedQuery } from './queries/named-query.js';
import { SELECT_VOTERS } from './queries/voter.queries.js';
import type { ReaderPool } from './reader-pool.js';
import { foundAtHead, rowsAtHead } from './rows-at-head.js';

export interface DelegateRecord {
  readonly username: string;
  readonly address: string;
  readonly publicKey: string;
  /** Public key of the delegate that this one's own account votes for. */
  readonly ownVote: string | null;
  /** Arktoshi, of the votes received. */
  readonly weight: bigint;
  readonly producedBlocks: number;
  readonly missedBlocks: number;
}

/** Arktoshi. */
export interface ForgedTotals {
  readonly fees: bigint;
  readonly rewards: bigint;
}

export interface VoterRecord {
  readonly username: string | null;
  readonly address: string;
  readonly publicKey: string;
  /** Arktoshi, spendable. */
  readonly balance: bigint;
}

interface DelegateRow {
  readonly public_key: string;
  readonly username: string;
  readonly address: string;
  readonly weight: string;
  readonly produced_blocks: number;
  readonly missed_blocks: number;
  readonly vote: string | null;
}

interface ForgedRow {
  readonly public_key: string;
  readonly forged_fees: string;
  readonly forged_rewards: string;
}

interface VoterRow {
  readonly is_delegate: boolean;
  readonly address: string | null;
  readonly public_key: string;
  readonly balance: string;
  readonly username: string | null;
}

/** Upper-case ASCII letters alone: toLowerCase() would change others, too. */
const lowerAscii = (text: string): string => text.replace(/[A-Z]/g, (letter) => letter.toLowerCase());

/** Every method throws `HeadPassedError` where the tables are at another head than the one asked about. */
export class DelegatesReader {
  constructor(private readonly pool: ReaderPool) {}

  listDelegates(
    at: BlockRef,
    sort: DelegateSort,
    direction: SortDirection,
    limit: number,
    offset: number,
  ): Promise<DelegateRecord[]> {
    return this.delegates(at, SELECT_DELEGATES[sort][direction], [limit, offset]);
  }

  /** Those whose username holds `text` without regard to ASCII case, by username. */
  searchDelegates(at: BlockRef, text: string, limit: number, offset: number): Promise<DelegateRecord[]> {
    return this.delegates(at, SEARCH_DELEGATES, [lowerAscii(text), limit, offset]);
  }

  /** Those that match either, by rank. */
  listMatching(at: BlockRef, publicKey?: string, username?: string): Promise<DelegateRecord[]> {
    return this.delegates(at, SELECT_MATCHING_DELEGATES, [publicKey ?? null, username ?? null]);
  }

  async findNewest(at: BlockRef): Promise<DelegateRecord | null> {
    const [newest] = await this.delegates(at, SELECT_NEWEST_DELEGATE, []);
    return newest ?? null;
  }

  async findForged(at: BlockRef, publicKey: string): Promise<ForgedTotals | null> {
    const [row] = await foundAtHead<ForgedRow>(this.pool, at, SELECT_FORGED, [publicKey], 'public_key');
    return row ? { fees: BigInt(row.forged_fees), rewards: BigInt(row.forged_rewards) } : null;
  }

  /** The accounts that vote for a delegate, the largest balance first; null where there is no such delegate. */
  async findVoters(
    at: BlockRef,
    publicKey: string,
    limit: number | null,
    offset: number,
  ): Promise<VoterRecord[] | null> {
    const rows = await rowsAtHead<VoterRow>(this.pool, at, SELECT_VOTERS, [publicKey, limit, offset]);
    if (!rows[0]!.is_delegate) return null;
    if (rows[0]!.address === null) return [];
    return rows.map((row) => ({
      username: row.username,
      address: row.address!,
      publicKey: row.public_key,
      balance: BigInt(row.balance),
    }));
  }

  private async delegates(
    at: BlockRef,
    query: NamedQuery,
    values: readonly unknown[],
  ): Promise<DelegateRecord[]> {
    const rows = await foundAtHead<DelegateRow>(this.pool, at, query, values, 'public_key');
    return rows.map((row) => ({
      username: row.username,
      address: row.address,
      publicKey: row.public_key,
      ownVote: row.vote,
      weight: BigInt(row.weight),
      producedBlocks: row.produced_blocks,
      missedBlocks: row.missed_blocks,
    }));
  }
}
