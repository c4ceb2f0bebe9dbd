import { OperatorError } from '@roundhouse/config';
import { print } from '@roundhouse/logging';
import { loadNetwork } from '@roundhouse/source';
import { defineCommand, type Environment } from '../command-line/command.js';
import { readCommandSettings } from '../command-line/database-settings.js';
import { endAtFirstSignal } from '../command-line/ending.js';
import { Progress } from '../command-line/progress.js';
import { checkDatabase, readHeight } from '../database/check-database.js';
import { snapshotCreateSettings, snapshotSettings } from '../snapshot.config.js';
import { createSnapshot } from '../snapshot/create-snapshot.js';
import { bytesOf, type Manifest } from '../snapshot/manifest.js';
import type { PublicKey } from '../snapshot/minisign.js';
import { restoreSnapshot } from '../snapshot/restore-snapshot.js';
import { readPublicKey, readSecretKey } from '../snapshot/signing.js';
import { SnapshotFile } from '../snapshot/snapshot-file.js';

const mebibytes = (bytes: number): number => Math.round(bytes / 2 ** 20);

/** Large parts are done rarely, so the pace is that of the whole run. */
const progressOf = (what: string, unit: string): Progress => new Progress(what, { unit, paceMs: Infinity });

const stateOf = ({ head, network, digest }: Pick<Manifest, 'head' | 'network' | 'digest'>): string =>
  `block ${head.height} (${head.id}) of ${network.name}` +
  (digest === null ? '' : `, digest ${digest.digest} of round ${digest.round}`);

const fileOf = (action: string, file: string | undefined): string => {
  if (file !== undefined) return file;
  throw new OperatorError(`Name the snapshot: "indexer snapshot ${action} --file mainnet.snapshot".`);
};

interface Given {
  readonly file: string | undefined;
  /** The file of a secret key. */
  readonly sign: string | undefined;
  readonly trust: string | undefined;
  readonly json: boolean;
  readonly 'first-start': boolean;
}

const create = async ({ file, sign }: Given, environment: Environment): Promise<void> => {
  const path = fileOf('create', file);
  endAtFirstSignal('Stopped: the same command goes on with what is complete.');
  const { DATABASE_URL, SIGNING_PASSWORD } = await readCommandSettings(snapshotCreateSettings, environment);
  const key = sign === undefined ? null : await readSecretKey(sign, SIGNING_PASSWORD);
  await checkDatabase(DATABASE_URL);
  const progress = progressOf('writing', 'rows');
  const options = { key, onRows: (done: number, of: number) => progress.show(done, of) };
  const created = createSnapshot(DATABASE_URL, path, options).finally(() => progress.end());
  const { manifest, bytes, newBytes } = await created;
  const size = `${mebibytes(bytes)} MiB, ${mebibytes(newBytes)} MiB of them new`;
  print(`Wrote ${path}, ${size}: ${stateOf(manifest)}.`);
};

const trustedKey = async (keyOrPath: string | undefined): Promise<PublicKey | null> =>
  keyOrPath === undefined ? null : readPublicKey(keyOrPath);

/** False if there is nothing to do at a start that is not the first. */
const isWanted = async (databaseUrl: string, file: string | undefined): Promise<boolean> => {
  if (file === undefined) {
    print('SNAPSHOT is not set: nothing is restored.');
    return false;
  }
  const height = await readHeight(databaseUrl);
  if (height === null) return true;
  print(`The index is at height ${height} already: nothing is restored.`);
  return false;
};

const restore = async (
  { file: named, trust, 'first-start': isFirstStart }: Given,
  environment: Environment,
): Promise<void> => {
  endAtFirstSignal('Stopped. The same command starts from the beginning.');
  const { DATABASE_URL, SNAPSHOT, SNAPSHOT_PUBLIC_KEY, NETWORK } = await readCommandSettings(
    snapshotSettings,
    environment,
  );
  const file = named ?? SNAPSHOT;
  if (isFirstStart && !(await isWanted(DATABASE_URL, file))) return;
  const path = fileOf('restore', file);
  await checkDatabase(DATABASE_URL);
  const network = NETWORK === undefined ? null : await loadNetwork(NETWORK);
  const snapshot = await SnapshotFile.open(path, await trustedKey(trust ?? SNAPSHOT_PUBLIC_KEY));
  const checking = progressOf('checking', 'MiB');
  const restoring = progressOf('restoring', 'rows');
  const building = progressOf('building', 'tables');
  let isLoaded = false;
  try {
    await restoreSnapshot(DATABASE_URL, snapshot, network, {
      onBytes: (done, of) => checking.show(mebibytes(done), mebibytes(of)),
      onRows: (done, of) => {
        checking.end();
        restoring.show(done, of);
        isLoaded = done === of;
        if (isLoaded) restoring.end();
      },
      // Indexes of some tables are built while others are loaded; only one bar fits on a terminal.
      onTables: (done, of) => isLoaded && building.show(done, of),
    });
  } finally {
    for (const bar of [checking, restoring, building]) bar.end();
    await snapshot.close();
  }
  print(`Restored ${stateOf(snapshot.manifest)}. An indexer continues from there.`);
};

const inspect = async ({ file, trust, json: asJson }: Given): Promise<void> => {
  const snapshot = await SnapshotFile.open(fileOf('inspect', file), await trustedKey(trust));
  const progress = progressOf('checking', 'MiB');
  try {
    await snapshot
      .check((done, of) => progress.show(mebibytes(done), mebibytes(of)))
      .finally(() => progress.end());
    const { manifest } = snapshot;
    if (asJson) {
      print(JSON.stringify(manifest));
      return;
    }
    print(`chain      ${manifest.network.name}, nethash ${manifest.network.nethash}`);
    print(`head       ${manifest.head.height}, ${manifest.head.id}`);
    print(`undo       down to height ${manifest.lowestUndo}`);
    const { digest } = manifest;
    print(`digest     ${digest === null ? 'none' : `${digest.digest}  round ${digest.round}`}`);
    print(`schema     ${manifest.schema.join(', ')}`);
    print(`signed     ${snapshot.signed ?? 'no'}`);
    for (const { name, rows, parts } of manifest.tables)
      print(`${name.padEnd(16)} ${rows} rows, ${parts.length} parts, ${mebibytes(bytesOf(parts))} MiB`);
    print('Every part has its checksum.');
  } finally {
    await snapshot.close();
  }
};

export const command = defineCommand({
  text: `A snapshot is the whole index in one folder: another index is filled from it many times faster than from blocks, and can
undo as many blocks as the first one.

"create" writes the index as it is at one moment, also while an indexer writes. The same index gives the same bytes. In a
folder with an earlier snapshot, it keeps the parts that have not changed, adds those that are new, and removes what only
the earlier snapshot had. If it is stopped, the same command goes on. --sign signs the manifest as "minisign -S" does.
"tar -cf mainnet.snapshot.tar -C mainnet.snapshot ." makes one file of the folder, which the other two read.

"restore" fills an empty, migrated database: it checks all parts before it touches a table, loads the tables at the same
time, and proves that their rows give the digests of the snapshot before anything is committed. Stop the indexers first;
one that starts afterwards follows its source from there. "inspect" shows what a snapshot is and checks it, without a
database. With --trust, both refuse a snapshot that this key has not signed.

manifest.json describes the snapshot, "sha256sum -c SHA256SUMS" checks it, and each part is rows in the binary form of
PostgreSQL's COPY, gzipped.`,
  examples: [
    [
      'indexer snapshot create --file mainnet.snapshot --sign minisign.key',
      'write a snapshot, or the next one',
    ],
    ['indexer snapshot inspect --file mainnet.snapshot', 'check its parts, and show what they hold'],
    [
      'NETWORK=mainnet indexer snapshot restore --file mainnet.snapshot --trust minisign.pub',
      'fill an empty index',
    ],
  ],
  closing: `Needs DATABASE_URL: "create" as the owner or the indexer's role, "restore" as the owner, "inspect" none. "create" reads
SIGNING_PASSWORD if the key is encrypted. "restore" reads NETWORK, if it is set, SNAPSHOT instead of --file, and
SNAPSHOT_PUBLIC_KEY instead of --trust. Exit code: 0 if it is done, 1 if not. Ctrl-C ends it at once and leaves the index as
it was.`,
  actions: ['create', 'restore', 'inspect'],
  options: {
    file: {
      type: 'string',
      requiresArg: true,
      description: 'PATH: the folder of the snapshot, or a .tar file of it',
    },
    sign: {
      type: 'string',
      requiresArg: true,
      description: 'create: FILE, the secret key of minisign that signs it',
    },
    trust: {
      type: 'string',
      requiresArg: true,
      description: 'restore, inspect: the public key of minisign, or its FILE, that must have signed it',
    },
    json: { type: 'boolean', default: false, description: 'inspect: print the manifest' },
    'first-start': {
      type: 'boolean',
      default: false,
      description: 'restore: do nothing if SNAPSHOT is not set, or if the index is not empty',
    },
  },
  run: async (given, environment, action) => {
    if (action === 'create') await create(given, environment);
    else if (action === 'restore') await restore(given, environment);
    else await inspect(given);
    return 0;
  },
});
