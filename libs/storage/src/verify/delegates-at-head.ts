import type { Account, BlockRef, DelegateFigures } from '@roundhouse/chain';
import { bytesOf, delegates } from '@roundhouse/entities/tables';
import type { ClientBase } from 'pg';
import { queryRows, blockIdText, selectFrom } from '@roundhouse/entities/sql';

export interface DelegatesAtHead {
  /** Null before the genesis block. */
  readonly head: BlockRef | null;
  readonly delegates: readonly DelegateFigures[];
}

type Voter = Pick<Account, 'address' | 'balance'>;

export interface VotersAtHead {
  readonly head: BlockRef | null;
  readonly voters: readonly Voter[];
}

interface HeadColumns {
  readonly headHeight: number;
  readonly headId: string;
}

// One statement is one snapshot: the rows belong to the head next to them. A head without rows returns one row of
// nulls.
const SELECT_DELEGATES_AT_HEAD = `
SELECT head.height AS "headHeight", ${blockIdText('head.block_id')} AS "headId", delegate.*
FROM head LEFT JOIN (${selectFrom(delegates)}) AS delegate ON true ORDER BY "publicKey"`;

const SELECT_VOTERS_AT_HEAD = `
SELECT head.height AS "headHeight", ${blockIdText('head.block_id')} AS "headId", address, balance
FROM head LEFT JOIN accounts ON vote = $1 ORDER BY address`;

const headOf = (row: HeadColumns | undefined): BlockRef | null =>
  row ? { height: row.headHeight, id: row.headId } : null;

export const readDelegatesAtHead = async (client: ClientBase): Promise<DelegatesAtHead> => {
  const rows = await queryRows<HeadColumns & DelegateFigures>(client, SELECT_DELEGATES_AT_HEAD);
  return { head: headOf(rows[0]), delegates: rows.filter(({ publicKey }) => publicKey !== null) };
};

export const readVotersAtHead = async (client: ClientBase, publicKey: string): Promise<VotersAtHead> => {
  const rows = await queryRows<HeadColumns & Voter>(client, SELECT_VOTERS_AT_HEAD, [
    bytesOf('hex', publicKey),
  ]);
  return { head: headOf(rows[0]), voters: rows.filter(({ address }) => address !== null) };
};
