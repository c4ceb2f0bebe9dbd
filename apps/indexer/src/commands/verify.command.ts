import { verifyIndex } from '@roundhouse/storage';
import { checkDatabase, connectDatabase } from '../database/check-database.js';
import type { DatabaseSettings } from '../indexer.config.js';
import { Progress } from './progress.js';
import { isSound, reportLines } from './verify-report.js';

/** Rows of a table that are listed where many differ. */
const LISTED = 20;

/** Computes the derived tables anew beside those of the index and says where they differ; whether they are equal. */
export const verify = async ({ DATABASE_URL }: DatabaseSettings): Promise<boolean> => {
  await checkDatabase(DATABASE_URL);
  const client = await connectDatabase(DATABASE_URL);
  const progress = new Progress('verifying');
  try {
    const report = await verifyIndex(client, {
      listed: LISTED,
      onProgress: (done, of) => progress.show(done, of),
    });
    progress.end();
    for (const line of reportLines(report)) console.log(line);
    return isSound(report);
  } finally {
    progress.end();
    await client.end();
  }
};
