import type { BlockRef } from '@roundhouse/chain';
import { forgerKeys, FORGING_ROUNDS, hexText } from '@roundhouse/entities/sql';
import type { ClientBase } from 'pg';
import { NEXT_EVENT } from './move-head.js';

// The events of `/events` that do not come with each head.

const LENGTH = 'greatest(cardinality(r.forging_order), 1)';

/** The place of the last forger before slot 0. */
const LAST = `(${LENGTH} - r.first_slot % ${LENGTH})`;

/** The forger of slot s is at the place s mod length, counted from 0, whatever the first slot is. */
const ORDER_OF_SLOTS = `r.forging_order[${LAST} + 1 :] || r.forging_order[: ${LAST}]`;

/** $1: the round that begins. */
const TELL_ROUND = `
INSERT INTO events (sequence, kind, data)
SELECT ${NEXT_EVENT}, 'round', row_to_json(event) FROM (
  SELECT r.round, r.first_height AS "firstHeight", ${forgerKeys(ORDER_OF_SLOTS)} AS "forgingOrder", (
    SELECT row_to_json(ended) FROM (
      SELECT e.round, e.first_height AS "firstHeight", (
        SELECT coalesce(array_agg(row_to_json(absent)), '{}') FROM (
          SELECT ${hexText('d.public_key')} AS "publicKey", d.username
          FROM unnest(e.forging_order) WITH ORDINALITY AS active (number, place) JOIN delegates d USING (number)
          WHERE d.public_key <> ALL (ARRAY(
            SELECT k.value FROM blocks b JOIN public_keys k ON k.number = b.generator
            WHERE b.height >= e.first_height AND b.height < r.first_height))
          ORDER BY place
        ) absent
      ) AS missed
    ) ended
  ) AS ended
  FROM ${FORGING_ROUNDS} r LEFT JOIN ${FORGING_ROUNDS} e ON e.round = r.round - 1
  WHERE r.round = $1
) event`;

/** $1: the common height; $2: the id of its block; $3, $4: the head that was undone. */
const TELL_FORK = `
INSERT INTO events (sequence, kind, data)
SELECT ${NEXT_EVENT}, 'fork', row_to_json(event) FROM (
  SELECT $1::integer AS "commonHeight", $2::text AS "commonId",
    (SELECT row_to_json(was) FROM (SELECT $3::integer AS height, $4::text AS id) was) AS "from"
) event`;

/** Writes the event of a round that the next block begins, or that has other forgers now. */
export const tellRound = (client: ClientBase, round: number): Promise<unknown> =>
  client.query(TELL_ROUND, [round]);

/** Writes the event of the blocks that this transaction has undone. */
export const tellFork = async (client: ClientBase, common: BlockRef, from: BlockRef): Promise<void> => {
  await client.query(TELL_FORK, [common.height, common.id, from.height, from.id]);
};
