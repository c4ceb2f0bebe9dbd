import type { ClientBase, Pool } from 'pg';
import { inTransaction } from '../writer/in-transaction.js';

/** What a program says of its webhook. */
export interface WebhookContent {
  readonly event: string;
  readonly target: string;
  readonly enabled: boolean;
  readonly conditions: readonly unknown[];
}

export interface Webhook extends WebhookContent {
  readonly id: string;
}

/** The token as it is stored: the half that is sent, and SHA-256 of the other one. */
export interface StoredToken {
  readonly token: string;
  readonly tokenRest: Buffer;
}

const CONTENT = 'event, target, conditions, enabled, id';

const SELECT_ALL = `SELECT ${CONTENT} FROM webhooks ORDER BY created_at, id`;
const SELECT_ONE = `SELECT ${CONTENT} FROM webhooks WHERE id = $1`;

/** Until the end of the transaction, no events are written. */
const HOLD_EVENTS = `SELECT FROM head FOR SHARE`;

/** The newest sequence: a webhook begins behind it. */
const NEWEST = `greatest((SELECT max(sequence) FROM webhook_events), (SELECT max(delivered) FROM webhooks), 0)`;

const INSERT = `
INSERT INTO webhooks (id, event, target, enabled, conditions, token, token_rest, delivered, dropped, failures, created_at)
VALUES ($1, $2, $3, $4, $5, $6, $7, ${NEWEST}, 0, 0, clock_timestamp())`;

/** A webhook that was disabled or had another event begins at the newest one. */
const UPDATE = `
UPDATE webhooks SET event = $2, target = $3, enabled = $4, conditions = $5, failures = 0, retry_at = NULL,
  delivered = CASE WHEN enabled AND event = $2 THEN delivered ELSE ${NEWEST} END
WHERE id = $1`;

const DELETE = `DELETE FROM webhooks WHERE id = $1`;

const inOwnTransaction = async <T>(pool: Pool, work: (client: ClientBase) => Promise<T>): Promise<T> => {
  const client = await pool.connect();
  try {
    return await inTransaction(client, async () => {
      await client.query(HOLD_EVENTS);
      return work(client);
    });
  } finally {
    client.release();
  }
};

const valuesOf = (id: string, { event, target, enabled, conditions }: WebhookContent): unknown[] => [
  id,
  event,
  target,
  enabled,
  JSON.stringify(conditions),
];

/** In the order in which they were created. */
export const listWebhooks = async (pool: Pool): Promise<Webhook[]> =>
  (await pool.query<Webhook>(SELECT_ALL)).rows;

export const findWebhook = async (pool: Pool, id: string): Promise<Webhook | null> =>
  (await pool.query<Webhook>(SELECT_ONE, [id])).rows[0] ?? null;

/** It is told of what happens from now on. */
export const createWebhook = (
  pool: Pool,
  { id, ...content }: Webhook,
  { token, tokenRest }: StoredToken,
): Promise<unknown> =>
  inOwnTransaction(pool, (client) => client.query(INSERT, [...valuesOf(id, content), token, tokenRest]));

/** Whether there is such a webhook. What waits for it is kept, unless it was disabled or its event changes. */
export const updateWebhook = (pool: Pool, id: string, content: WebhookContent): Promise<boolean> =>
  inOwnTransaction(
    pool,
    async (client) => (await client.query(UPDATE, valuesOf(id, content))).rowCount === 1,
  );

/** Whether there was such a webhook. */
export const deleteWebhook = async (pool: Pool, id: string): Promise<boolean> =>
  (await pool.query(DELETE, [id])).rowCount === 1;
