import { sha256As } from '@roundhouse/chain';
import type { ClientBase, Pool } from 'pg';
import { inTransaction } from '../writer/in-transaction.js';

/** A webhook as its events are delivered. */
export interface Receiver {
  readonly id: string;
  readonly event: string;
  readonly target: string;
  /** JSON. */
  readonly conditions: string;
  /** The half that is sent. */
  readonly token: string;
  /** The sequence of the last event that needs no post any more. */
  readonly delivered: bigint;
  readonly failures: number;
}

export interface WaitingEvent {
  readonly sequence: bigint;
  readonly data: string | null;
}

/** Of events that wait for a webhook. */
export interface Waiting {
  readonly webhooks: number;
  readonly events: number;
  /** Over the lives of all webhooks that are registered. */
  readonly dropped: number;
  /** Webhooks whose last post failed. */
  readonly failing: number;
}

const WAITS = `EXISTS (SELECT FROM webhook_events AS e WHERE e.event = w.event AND e.sequence > w.delivered)`;

/** A rest that would last longer than any was begun before the clock stepped back. */
const IS_AWAKE = `(retry_at IS NULL OR retry_at <= clock_timestamp()
  OR retry_at > clock_timestamp() + least(power(2, least(failures, 20)), 600) * interval '1 s')`;

const SELECT_DUE = `
SELECT id FROM webhooks AS w WHERE enabled AND ${IS_AWAKE} AND ${WAITS}`;

const SELECT_WAITS = `
SELECT EXISTS (SELECT FROM webhook_events) AND current_setting('transaction_read_only') = 'off' AS waits`;

const SELECT_RECEIVER = `
SELECT id, event, target, conditions::text, token, delivered, failures FROM webhooks
WHERE id = $1 AND enabled AND ${IS_AWAKE}`;

const SELECT_WAITING = `
SELECT sequence, data FROM webhook_events WHERE event = $1 AND sequence > $2 ORDER BY sequence LIMIT $3`;

/** Only if the webhook is still what it was when the event was read. The log of slow queries must not show a target, which may have a password. */
const IS_SAME = `id = $1 AND enabled AND delivered = $2 AND event = $3
  AND encode(sha256(convert_to(target, 'UTF8')), 'hex') = $4 AND conditions::text = $5`;

const ADVANCE = `UPDATE webhooks SET delivered = $6, failures = 0, retry_at = NULL WHERE ${IS_SAME}`;

const FAIL = `
UPDATE webhooks SET failures = failures + 1, retry_at = clock_timestamp() + $6::integer * interval '1 ms' WHERE ${IS_SAME}`;

const PRUNE = `
DELETE FROM webhook_events AS e USING (
  SELECT event, min(delivered) AS delivered FROM webhooks WHERE enabled GROUP BY event
) AS w WHERE e.event = w.event AND e.sequence <= w.delivered`;

/** Nobody wants them any more. */
const PRUNE_UNWANTED = `
DELETE FROM webhook_events WHERE event = ANY (
  WITH RECURSIVE told AS (
    SELECT min(event) AS event FROM webhook_events
    UNION ALL SELECT (SELECT min(event) FROM webhook_events WHERE event > told.event) FROM told WHERE event IS NOT NULL
  )
  SELECT event FROM told WHERE event NOT IN (SELECT event FROM webhooks WHERE enabled))`;

/** $1: how many of the newest of each kind are kept. The last that is not. */
const SELECT_LAST_DROPPED = `
SELECT event, last.sequence FROM (SELECT DISTINCT event FROM webhooks WHERE enabled) AS wanted CROSS JOIN LATERAL (
  SELECT sequence FROM webhook_events AS e WHERE e.event = wanted.event ORDER BY sequence DESC OFFSET $1 LIMIT 1
) AS last`;

/** $1: kinds of events; $2: the last of each that is not kept. */
const LAST = `unnest($1::text[], $2::bigint[]) AS last (event, sequence)`;

const COUNT_DROPPED = `
UPDATE webhooks AS w SET dropped = dropped + lost.count, delivered = greatest(delivered, lost.sequence)
FROM (
  SELECT id, last.sequence, count(*) FROM webhooks JOIN ${LAST} USING (event) JOIN webhook_events AS e USING (event)
  WHERE enabled AND e.sequence > delivered AND e.sequence <= last.sequence GROUP BY id, last.sequence
) AS lost WHERE w.id = lost.id RETURNING w.id, lost.count::integer AS events`;

const DROP = `DELETE FROM webhook_events AS e USING ${LAST} WHERE e.event = last.event AND e.sequence <= last.sequence`;

const SELECT_STATE = `
SELECT count(*)::integer AS webhooks, coalesce(sum(dropped), 0)::float8 AS dropped,
  (count(*) FILTER (WHERE failures > 0))::integer AS failing,
  (SELECT count(*)::integer FROM webhook_events) AS events
FROM webhooks`;

/** The ids of the webhooks to which something can be posted now. */
export const listDueWebhooks = async (pool: Pool): Promise<string[]> =>
  (await pool.query<{ id: string }>(SELECT_DUE)).rows.map(({ id }) => id);

/** Whether there are events that are not pruned yet, and what becomes of them can be written down. */
export const areEventsLeft = async (pool: Pool): Promise<boolean> =>
  (await pool.query<{ waits: boolean }>(SELECT_WAITS)).rows[0]!.waits;

/** Null if the webhook is disabled or deleted, or rests after a failure. */
export const findReceiver = async (pool: Pool, id: string): Promise<Receiver | null> => {
  const row = (await pool.query<Receiver & { delivered: string }>(SELECT_RECEIVER, [id])).rows[0];
  return row ? { ...row, delivered: BigInt(row.delivered) } : null;
};

/** The oldest events that wait for it, whatever its conditions. */
export const listWaiting = async (
  pool: Pool,
  { event, delivered }: Receiver,
  most: number,
): Promise<WaitingEvent[]> => {
  const { rows } = await pool.query<{ sequence: string; data: string | null }>(SELECT_WAITING, [
    event,
    delivered.toString(),
    most,
  ]);
  return rows.map(({ sequence, data }) => ({ sequence: BigInt(sequence), data }));
};

const sameAs = ({ id, delivered, event, target, conditions }: Receiver): unknown[] => [
  id,
  delivered.toString(),
  event,
  sha256As('hex', target),
  conditions,
];

/** The receiver as it is after everything up to `sequence`; null if it was changed meanwhile. */
export const advanceReceiver = async (
  pool: Pool,
  receiver: Receiver,
  sequence: bigint,
): Promise<Receiver | null> => {
  const { rowCount } = await pool.query(ADVANCE, [...sameAs(receiver), sequence.toString()]);
  return rowCount === 1 ? { ...receiver, delivered: sequence, failures: 0 } : null;
};

/** Lets it rest. */
export const noteFailedPost = async (pool: Pool, receiver: Receiver, pauseMs: number): Promise<void> => {
  await pool.query(FAIL, [...sameAs(receiver), pauseMs]);
};

export interface DroppedEvents {
  readonly id: string;
  readonly events: number;
}

/** Deletes what is delivered, and of the rest all but the newest `most` events of each kind. Returns what webhooks lost by that. */
export const pruneEvents = async (client: ClientBase, most: number): Promise<DroppedEvents[]> => {
  await client.query(PRUNE);
  await client.query(PRUNE_UNWANTED);
  return inTransaction(client, async () => {
    const { rows: last } = await client.query<{ event: string; sequence: string }>(SELECT_LAST_DROPPED, [
      most,
    ]);
    if (last.length === 0) return [];
    const values = [last.map(({ event }) => event), last.map(({ sequence }) => sequence)];
    const { rows } = await client.query<DroppedEvents>(COUNT_DROPPED, values);
    await client.query(DROP, values);
    return rows;
  });
};

export const countWaiting = async (pool: Pool): Promise<Waiting> =>
  (await pool.query<Waiting>(SELECT_STATE)).rows[0]!;
