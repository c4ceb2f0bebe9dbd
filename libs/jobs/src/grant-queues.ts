import { connectionLimits } from '@roundhouse/config';
import { Client, escapeIdentifier } from 'pg';
import { QUEUE_SCHEMA } from './migrate-queues.js';
import { QueueName } from './queue-name.js';

/** BullMQ creates the sequence of a queue's job ids at its first use. This role may not create it. */
const SELECT_ID_SEQUENCES = `SELECT ${QUEUE_SCHEMA}.job_id_seq_name(queue) AS name FROM unnest($1::text[]) AS queue`;

const grantsTo = (role: string): string => `
GRANT USAGE ON SCHEMA ${QUEUE_SCHEMA} TO ${role};
GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA ${QUEUE_SCHEMA} TO ${role};
REVOKE INSERT, UPDATE, DELETE ON ${QUEUE_SCHEMA}.migration FROM ${role};
GRANT USAGE, SELECT, UPDATE ON ALL SEQUENCES IN SCHEMA ${QUEUE_SCHEMA} TO ${role};
ALTER DEFAULT PRIVILEGES IN SCHEMA ${QUEUE_SCHEMA} GRANT SELECT, INSERT, UPDATE, DELETE ON TABLES TO ${role};
ALTER DEFAULT PRIVILEGES IN SCHEMA ${QUEUE_SCHEMA} GRANT USAGE, SELECT, UPDATE ON SEQUENCES TO ${role}`;

/**
 * Lets `role` use the queues in PostgreSQL without changing their schema. BullMQ also needs TEMPORARY on the
 * database. The owner runs this after `migrateQueues`; safe to run twice.
 */
export const grantQueues = async (databaseUrl: string, role: string): Promise<void> => {
  const client = new Client({ connectionString: databaseUrl, ...connectionLimits });
  await client.connect();
  try {
    const { rows } = await client.query<{ name: string }>(SELECT_ID_SEQUENCES, [Object.values(QueueName)]);
    for (const { name } of rows) {
      await client.query(`CREATE SEQUENCE IF NOT EXISTS ${QUEUE_SCHEMA}.${escapeIdentifier(name)}`);
    }
    await client.query(grantsTo(escapeIdentifier(role)));
  } finally {
    await client.end();
  }
};
