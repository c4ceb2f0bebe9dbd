import { connectionLimits } from '@roundhouse/config';
import { assertSchemaCompatibility, runMigrations, SchemaMigrationRequiredError } from 'bullmq';
import { Client } from 'pg';

/** BullMQ's default. A pool passed to BullMQ must have it as its search path. */
export const QUEUE_SCHEMA = 'bullmq';

/** Creates or updates BullMQ's schema in PostgreSQL. Safe to run twice and concurrently. */
export const migrateQueues = async (databaseUrl: string): Promise<void> => {
  const { connectionTimeoutMillis, keepAlive, keepAliveInitialDelayMillis } = connectionLimits;
  const client = new Client({
    connectionString: databaseUrl,
    connectionTimeoutMillis,
    keepAlive,
    keepAliveInitialDelayMillis,
  });
  await client.connect();
  try {
    await runMigrations(client, QUEUE_SCHEMA);
    // Earlier versions never used a key twice, and BullMQ deletes none.
    await client.query(
      `DELETE FROM ${QUEUE_SCHEMA}.dedup WHERE expire_at_ms < extract(epoch FROM now()) * 1000`,
    );
  } finally {
    await client.end();
  }
};

/** Whether BullMQ's schema exists in PostgreSQL, in a version that this program can use. */
export const areQueuesMigrated = async (databaseUrl: string): Promise<boolean> => {
  const client = new Client({ connectionString: databaseUrl, ...connectionLimits });
  await client.connect();
  try {
    await assertSchemaCompatibility(client, QUEUE_SCHEMA);
    return true;
  } catch (error) {
    if (error instanceof SchemaMigrationRequiredError) return false;
    throw error;
  } finally {
    await client.end();
  }
};
