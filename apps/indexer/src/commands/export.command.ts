import { writeFile } from 'node:fs/promises';
import { archiveLine, asRead, assertLinked, checkBlock } from '@roundhouse/blocks';
import {
  InvalidBlockError,
  MilestoneSchedule,
  type Block,
  type BlockRef,
  type Network,
} from '@roundhouse/chain';
import { OperatorError } from '@roundhouse/config';
import { print, printError } from '@roundhouse/logging';
import { findBlockId, readNetwork, readPosition, storedBlocks } from '@roundhouse/storage';
import type { ClientBase } from 'pg';
import { defineCommand, readWholeNumber } from '../command-line/command.js';
import { readDatabaseSettings } from '../command-line/database-settings.js';
import { endInTime, exitCodeOf, stopSignal } from '../command-line/ending.js';
import { Progress } from '../command-line/progress.js';
import { checkDatabase, connectDatabase } from '../database/check-database.js';
import { ArchiveFile } from './archive-file.js';

/** `chain.ndjson.gz` → `chain.network.json`. */
const networkPathOf = (archivePath: string): string =>
  `${archivePath.replace(/\.gz$/, '').replace(/\.(nd)?jsonl?$/, '')}.network.json`;

const writeNetwork = async (path: string, configuration: string): Promise<void> => {
  try {
    await writeFile(path, `${JSON.stringify(JSON.parse(configuration), null, 2)}\n`);
  } catch (error) {
    throw new OperatorError(
      `${path} cannot be written (${(error as Error).message}): name another with "--network FILE".`,
      { cause: error },
    );
  }
};

/** Checks each block as a reader of the archive will. */
class StoredBlockCheck {
  private readonly milestones: MilestoneSchedule;

  constructor(
    private readonly network: Network,
    private previous: BlockRef | null,
  ) {
    this.milestones = new MilestoneSchedule(network.milestones);
  }

  assertWhole(block: Block): void {
    try {
      assertLinked(block, this.previous);
      checkBlock(asRead(block), { ...this.network, constants: this.milestones.at(block.height) });
    } catch (error) {
      if (!(error instanceof InvalidBlockError)) throw error;
      throw new OperatorError(
        `Block ${block.height} of the index is not what was forged: ${error.message}. Nothing is exported. "indexer verify" ` +
          `lists what else is wrong; go back below it with "indexer rollback", or index again.`,
        { cause: error },
      );
    }
    this.previous = block;
  }
}

interface Work {
  readonly client: ClientBase;
  readonly file: ArchiveFile;
  readonly network: Network;
  readonly last: number;
  readonly signal: AbortSignal;
}

/** False if `signal` came before everything was written. */
const writeBlocks = async ({ client, file, network, last, signal }: Work): Promise<boolean> => {
  const progress = new Progress('exporting');
  const check = new StoredBlockCheck(network, file.written);
  try {
    for await (const part of storedBlocks(client, { above: file.written?.height })) {
      for (const block of part) {
        if (block.height > last) return true;
        check.assertWhole(block);
        await file.add(archiveLine(block), block);
      }
      progress.show(file.written!.height, last);
      if (file.written!.height >= last) return true;
      if (signal.aborted) return false;
    }
    return true;
  } finally {
    progress.end();
  }
};

const lastHeightOf = (head: BlockRef | null, to: number | null): number => {
  if (head === null) throw new OperatorError('The index is empty: there is nothing to export.');
  if ((to ?? 0) <= head.height) return to ?? head.height;
  throw new OperatorError(`The index is at height ${head.height}: there is no block ${to} in it.`);
};

interface ExportArguments {
  readonly databaseUrl: string;
  readonly out: string;
  readonly networkPath: string;
  /** The last height; null for the head. */
  readonly to: number | null;
}

/** Writes from one snapshot. Returns the exit code. */
const exportBlocks = async ({ databaseUrl, out, networkPath, to }: ExportArguments): Promise<number> => {
  const stop = new AbortController();
  const signalled = stopSignal(() =>
    printError('Ended at once by a second signal; what is marked as written stays.'),
  ).then((signal) => {
    stop.abort();
    endInTime(exitCodeOf(signal));
    return exitCodeOf(signal);
  });
  await checkDatabase(databaseUrl);
  const client = await connectDatabase(databaseUrl);
  try {
    await client.query('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY');
    const { head } = await readPosition(client);
    const last = lastHeightOf(head, to);
    const stored = await readNetwork(client);
    const file = await ArchiveFile.open(out, async ({ height, id }) => {
      return height <= last && (await findBlockId(client, height)) === id;
    });
    const isWhole = await writeBlocks({ client, file, network: stored!.network, last, signal: stop.signal });
    if (!isWhole) {
      await file.pause();
      printError(
        '',
        `Stopped at height ${file.written!.height} of ${last}: the same command continues from there, with ${out}.part.`,
      );
      return await signalled;
    }
    await writeNetwork(networkPath, stored!.text);
    await file.finish();
    print(`Wrote ${last} blocks to ${out}, and their network to ${networkPath}.`);
    return 0;
  } finally {
    await client.end();
  }
};

export const command = defineCommand({
  text: `Writes an archive that BLOCK_SOURCE=file:… reads: one block with its transactions per line, from height 1 on, gzipped if
FILE ends in .gz, and the network next to it. It needs only the index: it reads one snapshot, also while an indexer
writes. An index made from the archive has the same digests.

Each block and each transaction is checked against its id before it is written; a block that the index cannot
reproduce as it was forged ends the export. The archive has every field that was signed, with all signatures.

Until it is complete, the file is FILE.part. After Ctrl-C or a crash, the same command continues with it.`,
  examples: [
    ['indexer export --out chain.ndjson.gz', 'also writes chain.network.json'],
    ['indexer export --out million.ndjson --to 1000000', 'the first million blocks'],
    ['BLOCK_SOURCE=file:chain.ndjson.gz NETWORK=chain.network.json indexer sync', 'index it elsewhere'],
  ],
  closing: `Needs DATABASE_URL, as the owner or the indexer's role. Exit code: 0 if the archive is complete, 1 if it cannot be
written, 130 or 143 if it was stopped.`,
  options: {
    out: { type: 'string', requiresArg: true, description: 'FILE: the archive to write' },
    network: {
      type: 'string',
      requiresArg: true,
      description: 'FILE: the network file to write (default: next to the archive)',
    },
    to: { type: 'string', requiresArg: true, description: 'HEIGHT: the last block (default: the head)' },
  },
  run: async ({ out, network, to }, environment) => {
    const { DATABASE_URL: databaseUrl } = await readDatabaseSettings(environment);
    if (!out) throw new OperatorError('Say where the archive goes: "indexer export --out chain.ndjson.gz".');
    const networkPath = network ?? networkPathOf(out);
    return exportBlocks({ databaseUrl, out, networkPath, to: readWholeNumber('--to', to) });
  },
});
