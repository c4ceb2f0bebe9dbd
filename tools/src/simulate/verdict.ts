import { join } from 'node:path';
import { freePort, withClient, withDatabase } from '@roundhouse/local-postgres';
import { digestTables, readPosition, type IndexDigest } from '@roundhouse/storage';
import { eventually } from '@roundhouse/testing';
import type { World } from './world/world.js';

const UNDISTURBED = 'undisturbed';
const CATCH_UP_MS = 300_000;

const headOf = (url: string): Promise<string | null> =>
  withClient(url, async (client) => (await readPosition(client)).head?.id ?? null);

/** Indexes the node's final chain from an archive into a separate database. Returns the URL of that database. */
const indexUndisturbed = async (world: World): Promise<string> => {
  const { folder, plan } = world.options;
  const archive = join(folder, 'chain.ndjson');
  await world.command('devnet', ['export', '--to', archive], { DATA_DIR: folder });
  await world.postgres.administer(`CREATE DATABASE ${UNDISTURBED}`);
  const url = withDatabase(world.postgres.url, UNDISTURBED);
  await world.command('indexer', ['migrate'], { DATABASE_URL: url });
  const port = await freePort();
  const indexer = world.program('indexer', 'undisturbed indexer', `http://127.0.0.1:${port}`, {
    DATABASE_URL: url,
    BLOCK_SOURCE: `file:${archive}`,
    NETWORK: join(folder, 'chain.network.json'),
    HISTORY: plan.history,
    OPS_PORT: String(port),
  });
  await indexer.start();
  const { id } = world.devnet.head;
  await eventually('the undisturbed index has all', async () => (await headOf(url)) === id, CATCH_UP_MS);
  await indexer.stop();
  return url;
};

const differences = (found: IndexDigest, expected: IndexDigest): string[] =>
  expected.tables
    .filter(({ table, sha256 }) => found.tables.find((each) => each.table === table)?.sha256 !== sha256)
    .map(({ table }) => `the digest of ${table} differs from an undisturbed run`);

export interface Verdict {
  readonly problems: readonly string[];
  /** The digest of the disturbed index. */
  readonly digest: string;
}

/** Compares the index, whose writers have ended, with an undisturbed run over the same chain. */
export const judge = async (world: World): Promise<Verdict> => {
  const { url } = world.postgres;
  const [verified, undisturbed] = await Promise.all([
    world.command('indexer', ['verify'], { DATABASE_URL: url }),
    indexUndisturbed(world),
  ]);
  const found = await withClient(url, digestTables);
  const expected = await withClient(undisturbed, digestTables);
  return {
    problems: [
      ...differences(found, expected),
      ...(verified === 0 ? [] : [`indexer verify ended with ${verified}: its log says what differs`]),
    ],
    digest: found.sha256,
  };
};
