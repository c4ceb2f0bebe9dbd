import { OperatorError } from '@roundhouse/config';
import { print, printError } from '@roundhouse/logging';
import type { ClientBase } from 'pg';
import { liftLimits } from '@roundhouse/storage';
import { defineCommand, readWholeNumber } from '../command-line/command.js';
import { readDatabaseSettings } from '../command-line/database-settings.js';
import { endInTime, exitCodeOf, stopSignal } from '../command-line/ending.js';
import { checkDatabase, connectForWork, cutOff } from '../database/check-database.js';
import { exportArchive, networkPathOf } from '../export/export-archive.js';
import { exportCore } from '../export/export-core.js';
import type { Outcome } from '../export/export-folder.js';
import { exportParquet } from '../export/export-parquet.js';

interface Given {
  readonly format: 'archive' | 'parquet' | 'core';
  readonly out: string | undefined;
  readonly network: string | undefined;
  readonly to: string | undefined;
  readonly partition: 'day' | 'heights' | undefined;
}

/** Ends soon after `signal`. */
type Export = (client: ClientBase, signal: AbortSignal) => Promise<Outcome>;

const archive = ({ out, network, to }: Given): Export => {
  if (!out) throw new OperatorError('Say where the archive goes: "indexer export --out chain.ndjson.gz".');
  const options = { out, networkPath: network ?? networkPathOf(out), to: readWholeNumber('--to', to) };
  return (client, signal) => exportArchive(client, options, signal);
};

/** Options that another format takes, in the order in which they are refused. */
const FOREIGN: Readonly<Record<Given['format'], readonly (keyof Given)[]>> = {
  archive: ['partition'],
  parquet: ['out', 'network'],
  core: ['out', 'network', 'partition'],
};

const exportOf = (given: Given): Export => {
  const { format, partition = 'day', to } = given;
  const foreign = FOREIGN[format].find((option) => given[option]);
  if (foreign !== undefined) throw new OperatorError(`"--format ${format}" does not take "--${foreign}".`);
  if (format === 'archive') return archive(given);
  if (!to)
    throw new OperatorError(`Say where the files go: "indexer export --format ${format} --to ${format}".`);
  return (client, signal) =>
    format === 'core' ? exportCore(client, to, signal) : exportParquet(client, to, partition, signal);
};

/** Returns the exit code. */
const run = async (databaseUrl: string, write: Export): Promise<number> => {
  const stop = new AbortController();
  const signalled = stopSignal(() =>
    printError('Ended at once by a second signal; what is marked as written stays.'),
  ).then((signal) => {
    stop.abort();
    endInTime(exitCodeOf(signal));
    return exitCodeOf(signal);
  });
  await checkDatabase(databaseUrl);
  const client = await connectForWork(databaseUrl);
  try {
    await liftLimits(client);
    const { isWhole, message } = await write(client, stop.signal);
    if (isWhole) {
      print(message);
      return 0;
    }
    printError('', message);
    return await signalled;
  } finally {
    cutOff(client);
  }
};

export const command = defineCommand({
  text: `Writes what the index holds into files. It needs only the index, also while an indexer writes.

"archive" is what BLOCK_SOURCE=file:… reads: one block with its transactions per line, from height 1 on, gzipped if FILE ends
in .gz, and the network next to it. Each block and each transaction is checked against its id before it is written; a block
that the index cannot reproduce as it was forged ends the export. The archive has every field that was signed, with all
signatures. An index made from it has the same digests.

"parquet" is for analysts: blocks, transactions, payments and rounds as Parquet files in folders by day (UTC) or by 100,000
heights, and the accounts and votes after each block with a certificate. A file is written once, when its last block can no
longer be undone; the next run adds new ones. The same chain gives the same bytes. manifest.json describes them.

"core" is the tables of a Core 3.9.1 node at the head, which load.sql loads into a node's database.

After Ctrl-C or a crash, the same command continues; "core" starts again if the head has moved.`,
  examples: [
    ['indexer export --out chain.ndjson.gz', 'also writes chain.network.json'],
    ['indexer export --out million.ndjson --to 1000000', 'the first million blocks'],
    ['BLOCK_SOURCE=file:chain.ndjson.gz NETWORK=chain.network.json indexer sync', 'index it elsewhere'],
    ['indexer export --format parquet --to chain', 'again each day: adds what is new'],
    ['indexer export --format core --to node', 'the tables of a node'],
  ],
  closing: `Needs DATABASE_URL, as the owner or the indexer's role. Exit code: 0 if everything is written, 1 if it cannot be
written, 130 or 143 if it was stopped.`,
  options: {
    format: {
      choices: ['archive', 'parquet', 'core'],
      default: 'archive',
      requiresArg: true,
      description: 'what is written',
    },
    out: { type: 'string', requiresArg: true, description: 'archive: FILE, the archive to write' },
    network: {
      type: 'string',
      requiresArg: true,
      description: 'archive: FILE, the network file to write (default: next to the archive)',
    },
    to: {
      type: 'string',
      requiresArg: true,
      description:
        'archive: HEIGHT of the last block (default: the head); parquet, core: DIR, where the files go',
    },
    partition: {
      choices: ['day', 'heights'],
      requiresArg: true,
      description: 'parquet: how the blocks are divided (default: day)',
    },
  },
  run: async (given, environment) => {
    const { DATABASE_URL } = await readDatabaseSettings(environment);
    return run(DATABASE_URL, exportOf(given));
  },
});
