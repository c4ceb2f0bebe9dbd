import type { ClientBase } from 'pg';

/** Runs `work` in one transaction; rolls back and throws on where it throws. */
export const inTransaction = async <T>(client: ClientBase, work: () => Promise<T>): Promise<T> => {
  await client.query('BEGIN');
  try {
    const result = await work();
    await client.query('COMMIT');
    return result;
  } catch (error) {
    // The connection may be gone: the reason for that is the error to tell.
    await client.query('ROLLBACK').catch(() => undefined);
    throw error;
  }
};
