import type { ClientBase } from 'pg';

/**
 * Whether a connection pooler such as PgBouncer answers for the server. A pooler tells its clients a process number of
 * its own, because their sessions have no fixed process.
 */
export const isBehindPooler = async (client: ClientBase): Promise<boolean> => {
  // Not in pg's types: the number that the other side gave when the session began.
  const { processID } = client as ClientBase & { readonly processID: number | null };
  const { rows } = await client.query<{ pid: number }>('SELECT pg_backend_pid() AS pid');
  return rows[0]!.pid !== processID;
};
