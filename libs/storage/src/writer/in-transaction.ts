import type { ClientBase } from 'pg';

/** Runs `work` in one transaction. If it throws, rolls back and rethrows. */
export const inTransaction = async <T>(client: ClientBase, work: () => Promise<T>): Promise<T> => {
  await client.query('BEGIN');
  try {
    const result = await work();
    await client.query('COMMIT');
    return result;
  } catch (error) {
    // ROLLBACK fails if the connection is lost. Throw the first error, which says why.
    await client.query('ROLLBACK').catch(() => undefined);
    throw error;
  }
};
