import { readPosition, undoTo } from '@roundhouse/storage';
import pg from 'pg';

/** Undoes the newest `depth` blocks of an index. Returns the duration in ms. */
export const undoRun = async (databaseUrl: string, depth: number): Promise<number> => {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    const { head } = await readPosition(client);
    if (head === null) throw new Error('There is nothing to undo: the index is empty.');
    const started = performance.now();
    await undoTo(client, head, head.height - depth);
    return performance.now() - started;
  } finally {
    await client.end();
  }
};
