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
import { SELECT_VOTERS } from './queries/voter.queries.js';
import type { ReaderPool } from './reader-pool.js';
import { jsonAtHead, jsonOf, rowsAtHead, type JsonRow } from './rows-at-head.js';

/** Arktoshi. */
export interface ForgedTotals {
  readonly fees: bigint;
  readonly rewards: bigint;
}

type ForgedRow =
  { readonly forged_fees: string; readonly forged_rewards: string } | { readonly forged_fees: null };

interface VotersRow extends JsonRow {
  readonly is_found: boolean;
}

/** Upper-case ASCII letters alone: toLowerCase() would change others, too. */
const lowerAscii = (text: string): string => text.replace(/[A-Z]/g, (letter) => letter.toLowerCase());

/**
 * Delegates and voters come as JSON in the contract's words, an object each, separated by commas: PostgreSQL writes it, for
 * with rows most of the time went into taking them apart and putting them together again. Every method throws `HeadPassedError` where the tables are at another
 * head than the one asked about.
 */
export class DelegatesReader {
  constructor(private readonly pool: ReaderPool) {}

  listDelegates(
    at: BlockRef,
    sort: DelegateSort,
    direction: SortDirection,
    limit: number,
    offset: number,
  ): Promise<string> {
    return jsonAtHead(this.pool, at, SELECT_DELEGATES[sort][direction], [limit, offset]);
  }

  /** Those whose username holds `text` without regard to ASCII case, by username; with weight and blocks. */
  searchDelegates(at: BlockRef, text: string, limit: number, offset: number): Promise<string> {
    return jsonAtHead(this.pool, at, SEARCH_DELEGATES, [lowerAscii(text), limit, offset]);
  }

  /** Those that match either, by rank. */
  listMatching(at: BlockRef, publicKey?: string, username?: string): Promise<string> {
    return jsonAtHead(this.pool, at, SELECT_MATCHING_DELEGATES, [publicKey ?? null, username ?? null]);
  }

  /** The delegate that registered last; empty where there is none. */
  findNewest(at: BlockRef): Promise<string> {
    return jsonAtHead(this.pool, at, SELECT_NEWEST_DELEGATE);
  }

  async findForged(at: BlockRef, publicKey: string): Promise<ForgedTotals | null> {
    const [row] = await rowsAtHead<ForgedRow>(this.pool, at, SELECT_FORGED, [publicKey]);
    if (row!.forged_fees === null) return null;
    return { fees: BigInt(row!.forged_fees), rewards: BigInt(row!.forged_rewards) };
  }

  /** The accounts that vote for a delegate, the largest balance first; null where there is no such delegate. */
  async findVoters(
    at: BlockRef,
    publicKey: string,
    limit: number | null,
    offset: number,
  ): Promise<string | null> {
    const [row] = await rowsAtHead<VotersRow>(this.pool, at, SELECT_VOTERS, [publicKey, limit, offset]);
    return row!.is_found ? jsonOf(SELECT_VOTERS, row!) : null;
  }
}
