import { OperatorError } from '@roundhouse/config';
import { print } from '@roundhouse/logging';
import { loadNetwork } from '@roundhouse/source';
import { defineCommand, type Environment } from '../command-line/command.js';
import { readCommandSettings, readDatabaseSettings } from '../command-line/database-settings.js';
import { endAtFirstSignal } from '../command-line/ending.js';
import { Progress } from '../command-line/progress.js';
import { checkDatabase, readHeight } from '../database/check-database.js';
import { snapshotSettings } from '../snapshot.config.js';
import { createSnapshot } from '../snapshot/create-snapshot.js';
import type { Manifest } from '../snapshot/manifest.js';
import { restoreSnapshot } from '../snapshot/restore-snapshot.js';
import { SnapshotFile } from '../snapshot/snapshot-file.js';

const MIB = 1024 * 1024;

const mebibytes = (bytes: number): number => Math.round(bytes / MIB);

/** Large parts are done rarely, so the pace is that of the whole run. */
const progressOf = (what: string, unit: string): Progress => new Progress(what, { unit, paceMs: Infinity });

const stateOf = ({ head, network, digest }: Pick<Manifest, 'head' | 'network' | 'digest'>): string =>
  `block ${head.height} (${head.id}) of ${network.name}` +
  (digest === null ? '' : `, digest ${digest.digest} of round ${digest.round}`);

const fileOf = (action: string, file: string | undefined): string => {
  if (file !== undefined) return file;
  throw new OperatorError(`Name the file: "indexer snapshot ${action} --file mainnet.snapshot.tar".`);
};

const create = async (file: string, environment: Environment): Promise<void> => {
  endAtFirstSignal(`Stopped: there is no snapshot. Remove ${file}.part, or run the same command again.`);
  const { DATABASE_URL } = await readDatabaseSettings(environment);
  await checkDatabase(DATABASE_URL);
  const progress = progressOf('writing', 'pages');
  try {
    const { manifest, bytes } = await createSnapshot(DATABASE_URL, file, (done, of) =>
      progress.show(done, of),
    );
    progress.end();
    print(`Wrote ${file}, ${mebibytes(bytes)} MiB: ${stateOf(manifest)}.`);
  } finally {
    progress.end();
  }
};

const checkFile = async (snapshot: SnapshotFile): Promise<void> => {
  const progress = progressOf('checking', 'MiB');
  try {
    await snapshot.check((done, of) => progress.show(mebibytes(done), mebibytes(of)));
  } finally {
    progress.end();
  }
};

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

interface RestoreArguments {
  readonly file: string | undefined;
  readonly isFirstStart: boolean;
}

const restore = async (
  { file: named, isFirstStart }: RestoreArguments,
  environment: Environment,
): Promise<void> => {
  endAtFirstSignal('Stopped. The same command starts from the beginning.');
  const { DATABASE_URL, SNAPSHOT, NETWORK } = await readCommandSettings(snapshotSettings, environment);
  const file = named ?? SNAPSHOT;
  if (isFirstStart && !(await isWanted(DATABASE_URL, file))) return;
  const path = fileOf('restore', file);
  await checkDatabase(DATABASE_URL);
  const network = NETWORK === undefined ? null : await loadNetwork(NETWORK);
  const snapshot = await SnapshotFile.open(path);
  const bars = [
    progressOf('checking', 'MiB'),
    progressOf('restoring', 'rows'),
    progressOf('building', 'tables'),
  ] as const;
  const [checking, restoring, building] = bars;
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
    for (const bar of bars) bar.end();
    await snapshot.close();
  }
  print(`Restored ${stateOf(snapshot.manifest)}. An indexer continues from there.`);
};

const inspect = async (file: string, asJson: boolean): Promise<void> => {
  const snapshot = await SnapshotFile.open(file);
  try {
    await checkFile(snapshot);
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
    print(`created    ${manifest.createdAt}`);
    for (const { name, rows, parts } of manifest.tables) {
      const bytes = parts.reduce((sum, part) => sum + part.bytes, 0);
      print(`${name.padEnd(16)} ${rows} rows, ${parts.length} parts, ${mebibytes(bytes)} MiB`);
    }
    print('Every part has its checksum.');
  } finally {
    await snapshot.close();
  }
};

export const command = defineCommand({
  text: `A snapshot is the whole index in one file: another index is filled from it many times faster than from blocks, and can
undo as many blocks as the first one.

"create" writes the index as it is at one moment, also while an indexer writes. "restore" fills an empty, migrated database:
it checks the whole file before it touches a table, loads the tables at the same time, and proves that their rows give the
digests of the snapshot before anything is committed. Stop the indexers first; one that starts afterwards follows its source
from there. "inspect" shows what is in a file and checks it, without a database.

The file is a tar archive: manifest.json describes it, and each part is rows in the binary form of PostgreSQL's COPY, gzipped.`,
  examples: [
    ['indexer snapshot create --file mainnet.snapshot.tar', 'write a snapshot'],
    ['indexer snapshot inspect --file mainnet.snapshot.tar', 'is it whole, and of what?'],
    ['NETWORK=mainnet indexer snapshot restore --file mainnet.snapshot.tar', 'fill an empty index'],
  ],
  closing: `Needs DATABASE_URL: "create" as the owner or the indexer's role, "restore" as the owner, "inspect" none. "restore" reads
NETWORK, if it is set, and SNAPSHOT instead of --file. Exit code: 0 if it is done, 1 if not. Ctrl-C ends it at once and leaves
the index as it was.`,
  actions: ['create', 'restore', 'inspect'],
  options: {
    file: { type: 'string', requiresArg: true, description: 'FILE: the snapshot' },
    json: { type: 'boolean', default: false, description: 'inspect: print the manifest' },
    'first-start': {
      type: 'boolean',
      default: false,
      description: 'restore: do nothing if SNAPSHOT is not set, or if the index is not empty',
    },
  },
  run: async ({ file, json, 'first-start': isFirstStart }, environment, action) => {
    switch (action) {
      case 'create':
        await create(fileOf(action, file), environment);
        return 0;
      case 'restore':
        await restore({ file, isFirstStart }, environment);
        return 0;
      default:
        await inspect(fileOf(action, file), json);
        return 0;
    }
  },
});
