import type { BlockRef, LedgerHead } from '@roundhouse/chain';
import { bytesOf } from '@roundhouse/entities/tables';
import type { ClientBase } from 'pg';
import { HeadMovedError } from './head-moved.error.js';

const INSERT_HEAD = `
INSERT INTO head (height, block_id, "timestamp", supply, delegate_count) VALUES ($1, $2, $3, $4, $5)
ON CONFLICT (id) DO NOTHING`;

/** Moves the head only if it is where the batch began, which fences off other writers. */
const MOVE_HEAD = `
UPDATE head SET height = $1, block_id = $2, "timestamp" = $3, supply = $4, delegate_count = $5, indexed_at = now(),
  revision = revision + 1
WHERE id = 1 AND height = $6 AND block_id = $7`;

/**
 * Moves the head from exactly `from`, which is null before the genesis block. Throws `HeadMovedError` if it is
 * elsewhere.
 */
export const moveHead = async (
  client: ClientBase,
  from: BlockRef | null,
  head: LedgerHead,
  delegateCount: number,
): Promise<void> => {
  const to = [head.height, bytesOf('block id', head.id), head.timestamp, head.supply, delegateCount];
  const { rowCount } =
    from === null
      ? await client.query(INSERT_HEAD, to)
      : await client.query(MOVE_HEAD, [...to, from.height, bytesOf('block id', from.id)]);
  if (rowCount !== 1) throw new HeadMovedError(from);
};

/** PostgreSQL delivers it at the commit. */
export const notifyHead = (client: ClientBase, { height, id }: BlockRef): Promise<unknown> =>
  client.query(`SELECT pg_notify('head', $1)`, [`${height}:${id}`]);
