import type { BlockRef } from '@roundhouse/chain';
import { bytesOf } from '@roundhouse/entities/tables';
import { hexText } from '@roundhouse/entities/sql';
import { rowsAtHead, selectAtHead, type ReaderPool } from '../at-head.js';

/** A transaction; its nonce is null if it is of version 1, which has none. */
interface Sent {
  readonly blockHeight: number;
  readonly sequence: number;
  readonly senderPublicKey: string;
  readonly nonce: bigint | null;
}

/** SQL of how many of its transactions the sender `s` sent at some heights. A range of heights leaves the planner no index that is better than that of senders. */
const sent = (low: string, high: string, which = 'true'): string =>
  `(SELECT count(*) FROM transactions e
    WHERE e.sender = s.sender AND e.block_height >= ${low} AND e.block_height <= ${high} AND ${which})`;

/** In its block, after a sequence. The fence lets only the primary key find those. */
const sentAfter = (sequence: string): string => `(SELECT count(*) FROM (SELECT e.sender FROM transactions e
    WHERE e.block_height = s.height AND e.sequence > ${sequence} AND e.sequence <= s.sequence OFFSET 0) e WHERE e.sender = s.sender)`;

/** In its block. A sender may have thousands in the first one, but the first ones of a block are found at once. */
const SENT_IN_BLOCK = `CASE WHEN s.sequence < 100 THEN ${sentAfter('-1')}
      ELSE ${sent('s.height', 's.height', 'e.sequence <= s.sequence')} END`;

/** $1, $2: the head; $3: keys of senders; $4: heights; $5: sequences. From one transaction of a sender to the next, so that each is counted once. */
const SELECT_NONCES = selectAtHead(
  'core-nonces',
  'listed.*',
  `LEFT JOIN LATERAL (
  SELECT key AS "senderPublicKey", height AS "blockHeight", sequence, sum(more) OVER (PARTITION BY sender ORDER BY height, sequence)::bigint AS nonce
  FROM (
    SELECT s.*, CASE WHEN height = height_before THEN ${sentAfter('s.sequence_before')}
      ELSE ${sent('s.height_before + 1', 's.height - 1')} + ${SENT_IN_BLOCK}
        + ${sent('s.height_before', 's.height_before', 'e.sequence > s.sequence_before')} END AS more
    FROM (
      SELECT ${hexText('asked.key')} AS key, k.number AS sender, asked.height, asked.sequence,
        lag(asked.height, 1, 0) OVER sent AS height_before, lag(asked.sequence, 1, 0) OVER sent AS sequence_before
      FROM unnest($3::bytea[], $4::integer[], $5::integer[]) AS asked (key, height, sequence)
      JOIN public_keys k ON k.value = asked.key
      WINDOW sent AS (PARTITION BY k.number ORDER BY asked.height, asked.sequence)
    ) s
  ) counted
) listed ON true`,
);

const placeOf = ({ senderPublicKey, blockHeight, sequence }: Sent): string =>
  `${senderPublicKey} ${blockHeight} ${sequence}`;

/**
 * The same transactions, all with the nonces that a node gives them.
 * @param assertListIndexes may refuse to count those of version 1
 */
export const withNonces = async <Row extends Sent>(
  pool: ReaderPool,
  at: BlockRef,
  rows: readonly Row[],
  assertListIndexes: () => void = () => undefined,
): Promise<readonly (Row & { readonly nonce: bigint })[]> => {
  const lacking = rows.filter(({ nonce }) => nonce === null);
  if (lacking.length === 0) return rows as readonly (Row & { readonly nonce: bigint })[];
  assertListIndexes();
  const counted = await rowsAtHead<Sent & { readonly nonce: bigint }>(
    pool,
    at,
    SELECT_NONCES,
    lacking.map(({ senderPublicKey }) => bytesOf('hex', senderPublicKey)),
    lacking.map(({ blockHeight }) => blockHeight),
    lacking.map(({ sequence }) => sequence),
  );
  const nonces = new Map(counted.map((one) => [placeOf(one), one.nonce]));
  return rows.map((row) => ({ ...row, nonce: row.nonce ?? nonces.get(placeOf(row))! }));
};
