import type { BlockRef, RoundDigest, StateSums } from '@roundhouse/chain';
import { roundDigests } from '@roundhouse/entities/tables';
import type { ClientBase } from 'pg';
import { blockIdText, queryRows, selectFrom } from '@roundhouse/entities/sql';
import { findStateSums, readHead } from '../writer/load-ledger.js';
import { readUndoReach } from '../writer/undo-reach.js';

/** The rows are not those that the head and the digests of the index or of the snapshot stand for. */
export class SnapshotMismatchError extends Error {
  readonly code = 'SNAPSHOT_MISMATCH';

  constructor(problem: string) {
    super(problem);
    this.name = 'SnapshotMismatchError';
  }
}

const SELECT_NEWEST_DIGEST = `${selectFrom(roundDigests)} WHERE height >= $1 ORDER BY round DESC LIMIT 1`;

/** What a snapshot says of its state. */
export interface StateClaim {
  readonly head: BlockRef & { readonly supply: bigint };
  /** The sums at the head. */
  readonly sums: StateSums;
  /** Of the newest round that has ended; null if none has, or if before-images do not reach its end. */
  readonly digest: RoundDigest | null;
}

export interface IndexClaim extends StateClaim {
  /** The lowest height that can become the head again. */
  readonly lowestUndo: number;
  /** Which of the data that an index may lack this one has. */
  readonly holds: { readonly history: boolean; readonly details: boolean; readonly claims: boolean };
}

const SELECT_HOLDS = `
SELECT has_history AS history, has_details AS details, claims_height >= height AS claims FROM head`;

/** What an index says of its state; null if it is empty. Throws `SnapshotMismatchError` if it lacks sums. */
export const readClaim = async (client: ClientBase): Promise<IndexClaim | null> => {
  const head = await readHead(client);
  if (head === undefined) return null;
  const { lowest: lowestUndo } = (await readUndoReach(client))!;
  const sums = await findStateSums(client, head);
  if (sums === undefined)
    throw new SnapshotMismatchError(`The sums of the state at block ${head.height} are missing.`);
  const { accounts, delegates, locks } = sums;
  const [holds] = await queryRows<IndexClaim['holds']>(client, SELECT_HOLDS);
  const [digest] = await queryRows<RoundDigest>(client, SELECT_NEWEST_DIGEST, [lowestUndo]);
  const { height, id, supply } = head;
  return {
    head: { height, id, supply },
    sums: { accounts, delegates, locks },
    digest: digest ?? null,
    lowestUndo,
    holds: holds!,
  };
};

const SELECT_NEWEST_BLOCK = `SELECT height, ${blockIdText('id')} AS id FROM blocks ORDER BY height DESC LIMIT 1`;

const OWNS_TABLES = `
SELECT bool_and(pg_has_role(relowner, 'USAGE')) AS owns FROM pg_class
WHERE relnamespace = 'roundhouse'::regnamespace AND relname IN ('blocks', 'head')`;

/** The newest stored block, whatever the head is; null if there is none. */
export const findNewestBlock = async (client: ClientBase): Promise<BlockRef | null> =>
  (await client.query<BlockRef>(SELECT_NEWEST_BLOCK)).rows[0] ?? null;

/** Whether the role of this connection may drop and create indexes of the tables. */
export const ownsTables = async (client: ClientBase): Promise<boolean> =>
  (await client.query<{ owns: boolean }>(OWNS_TABLES)).rows[0]!.owns;
