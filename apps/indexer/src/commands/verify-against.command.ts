import { openDelegatesSource } from '@roundhouse/source';
import { checkDatabase, connectDatabase } from '../database/check-database.js';
import type { DatabaseSettings } from '../indexer.config.js';
import { compareWithNode } from './compare-with-node.js';
import { Progress } from './progress.js';

/** Differences that are listed; the others are counted. */
const LISTED = 100;

/** Compares with a running Core node what it has computed itself, and says what differs; whether nothing does. */
export const verifyAgainst = async ({ DATABASE_URL }: DatabaseSettings, url: string): Promise<boolean> => {
  const node = openDelegatesSource(url, {
    onPause: ({ source, reason, durationMs }) =>
      console.error(`${source} ${reason}: waiting ${Math.ceil(durationMs / 1_000)} s.`),
  });
  await checkDatabase(DATABASE_URL);
  const client = await connectDatabase(DATABASE_URL);
  const progress = new Progress('comparing', { unit: 'delegates', paceMs: Infinity });
  try {
    const { head, delegates, differences } = await compareWithNode(client, node, (done, of) =>
      progress.show(done, of),
    );
    progress.end();
    for (const line of differences.slice(0, LISTED)) console.log(line);
    if (differences.length > LISTED) console.log(`and ${differences.length - LISTED} more`);
    const verdict = differences.length === 0 ? 'nothing differs' : `${differences.length} values differ`;
    console.log(
      `Compared ${delegates} delegates and their voters with ${node.name} from block ${head.height} on: ${verdict}.`,
    );
    return differences.length === 0;
  } finally {
    progress.end();
    await node.close();
    await client.end();
  }
};
