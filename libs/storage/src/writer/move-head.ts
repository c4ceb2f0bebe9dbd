import type { BlockRef, LedgerChanges } from '@roundhouse/chain';
import { blocks, bytesOf } from '@roundhouse/entities/tables';
import type { ClientBase } from 'pg';
import { blockIdText, columnOf, hexText } from '@roundhouse/entities/sql';
import type { Batch } from './change-steps.js';

/** Another writer moved the head while a batch was being made. Nothing of the batch was stored; load the ledger again. */
export class HeadMovedError extends Error {
  readonly code = 'HEAD_MOVED';

  constructor(from: BlockRef | null) {
    super(
      `The head is no longer ${from ? `${from.height} (${from.id})` : 'absent'}: another writer has moved it.`,
    );
    this.name = 'HeadMovedError';
  }
}

/** How many of the newest events are kept. */
const KEPT_EVENTS = 500;

// An event is written by the transaction that moves the head. No other writer can do so at the same time, so ids grow
// in the order of the commits.
export const NEXT_EVENT = `
greatest((SELECT max(sequence) + 1 FROM events), (extract(epoch FROM clock_timestamp()) * 1000000)::bigint)`;

// The height is a parameter: joining by the head's height might read all blocks.
/** $1: how many blocks the head moved by; $2: its height. It drops the oldest events on the way. */
const TELL_HEAD = `
WITH told AS (
  INSERT INTO events (sequence, kind, data)
  SELECT ${NEXT_EVENT}, 'head', row_to_json(event) FROM (
    SELECT b.height, ${blockIdText('b.id')} AS id, b."timestamp", ${hexText('k.value')} AS "generatorPublicKey", d.username,
      ${columnOf('b', blocks, 'numberOfTransactions')} AS "numberOfTransactions",
      ${columnOf('b', blocks, 'totalAmount')} AS "totalAmount", ${columnOf('b', blocks, 'totalFee')} AS "totalFee",
      b.reward, b.reward + ${columnOf('b', blocks, 'totalFee')} AS forged, $1::integer AS blocks, h.supply
    FROM blocks b CROSS JOIN head h LEFT JOIN public_keys k ON k.number = b.generator
      LEFT JOIN delegates d ON d.public_key = k.value
    WHERE b.height = $2
  ) event
)
DELETE FROM events WHERE sequence <= (SELECT sequence FROM events ORDER BY sequence DESC OFFSET ${KEPT_EVENTS} LIMIT 1)`;

/** Writes the event of the head that this transaction has moved to `height`, by `blocks`. */
export const tellHead = (client: ClientBase, height: number, blocks: number): Promise<unknown> =>
  client.query(TELL_HEAD, [blocks, height]);

/** What the row of the head says. Some of it is stored once, with the genesis block. */
export type NewHead = Pick<Batch, 'head' | 'delegateCount'> &
  Pick<LedgerChanges, 'keepsHistory' | 'knowsClaims' | 'keepsDetails'>;

const INSERT_HEAD = `
INSERT INTO head (height, block_id, "timestamp", supply, delegate_count, has_history, has_details, claims_height)
VALUES ($1, $2, $3, $4, $5, $6, $7, $1) ON CONFLICT (id) DO NOTHING`;

/** Moves the head only if it is where the batch began, which fences off other writers. */
const MOVE_HEAD = `
UPDATE head SET height = $1, block_id = $2, "timestamp" = $3, supply = $4, delegate_count = $5, indexed_at = now(),
  revision = revision + 1, claims_height = CASE WHEN $6 THEN $1 ELSE claims_height END
WHERE id = 1 AND height = $7 AND block_id = $8`;

/**
 * Moves the head of the tables to the ledger's, from exactly `from`, which is null before the genesis block. Throws
 * `HeadMovedError` if the head is elsewhere.
 */
export const moveHead = async (
  client: ClientBase,
  from: BlockRef | null,
  { head, delegateCount, keepsHistory, knowsClaims, keepsDetails }: NewHead,
): Promise<void> => {
  const to = [head.height, bytesOf('block id', head.id), head.timestamp, head.supply, delegateCount];
  const { rowCount } =
    from === null
      ? await client.query(INSERT_HEAD, [...to, keepsHistory, keepsDetails])
      : await client.query(MOVE_HEAD, [...to, knowsClaims, from.height, bytesOf('block id', from.id)]);
  if (rowCount !== 1) throw new HeadMovedError(from);
};

/** PostgreSQL delivers it at the commit. */
export const notifyHead = (client: ClientBase, { height, id }: BlockRef): Promise<unknown> =>
  client.query(`SELECT pg_notify('head', $1)`, [`${height}:${id}`]);
