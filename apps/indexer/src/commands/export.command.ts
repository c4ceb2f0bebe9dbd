import { writeFile } from 'node:fs/promises';
import {
  assertLinked,
  checkBlock,
  InvalidBlockError,
  MilestoneSchedule,
  type Block,
  type BlockRef,
  type Network,
} from '@roundhouse/chain';
import { OperatorError } from '@roundhouse/config';
import { archiveLine } from '@roundhouse/source';
import {
  findBlockId,
  readPosition,
  readStoredConfiguration,
  readStoredNetwork,
  storedBlocks,
} from '@roundhouse/storage';
import type { ClientBase } from 'pg';
import { exitCodeOf, stopSignal } from '../command-line/stop-signals.js';
import { checkDatabase, connectDatabase } from '../database/check-database.js';
import type { DatabaseSettings } from '../indexer.config.js';
import { ArchiveFile } from './archive-file.js';
import { Progress } from './progress.js';
import { readHeight } from './read-height.js';

export interface ExportArguments {
  /** As they were typed; undefined where they were not. */
  readonly out: string | undefined;
  readonly network: string | undefined;
  readonly to: string | undefined;
}

const STOP_WITHIN_MS = 9_000;

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

/** Refuses to write a block that whoever reads the archive would refuse. */
class StoredBlockCheck {
  private readonly milestones: MilestoneSchedule;

  constructor(
    private readonly network: Network,
    private previous: BlockRef | null,
  ) {
    this.milestones = new MilestoneSchedule(network.milestones);
  }

  assertWhole(block: Block): void {
    const { nethash, exceptions } = this.network;
    try {
      assertLinked(block, this.previous);
      checkBlock(block, { nethash, exceptions, constants: this.milestones.at(block.height) });
    } catch (error) {
      if (!(error instanceof InvalidBlockError)) throw error;
      throw new OperatorError(
        `Block ${block.height} of the index is not what was forged: ${error.message}. Nothing is exported. "indexer verify" ` +
          `lists what else is wrong; go back below it with "indexer rollback", or index anew.`,
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

/** Whether all is written: not where `signal` came before. */
const writeBlocks = async ({ client, file, network, last, signal }: Work): Promise<boolean> => {
  const progress = new Progress('exporting');
  const check = new StoredBlockCheck(network, file.written);
  try {
    for await (const part of storedBlocks(client, file.written?.height ?? 0)) {
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

/** Writes the stored blocks as an archive, from one snapshot and with the network file that belongs to it. Gives the exit code. */
export const exportBlocks = async (
  { DATABASE_URL }: DatabaseSettings,
  { out, network: networkPath, to }: ExportArguments,
): Promise<number> => {
  if (!out) throw new OperatorError('Say where the archive goes: "indexer export --out chain.ndjson.gz".');
  const wanted = readHeight(to);
  const stop = new AbortController();
  const signalled = stopSignal(() =>
    console.error('Ended at once by a second signal; what is marked as written stays.'),
  ).then((signal) => {
    stop.abort();
    // A database that hangs must not hold it up: what is marked as written stays.
    setTimeout(() => process.exit(exitCodeOf(signal)), STOP_WITHIN_MS).unref();
    return exitCodeOf(signal);
  });
  await checkDatabase(DATABASE_URL);
  const client = await connectDatabase(DATABASE_URL);
  try {
    await client.query('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY');
    const { head } = await readPosition(client);
    const last = lastHeightOf(head, wanted);
    const [configuration, network] = [await readStoredConfiguration(client), await readStoredNetwork(client)];
    const file = await ArchiveFile.open(out, async ({ height, id }) => {
      return height <= last && (await findBlockId(client, height)) === id;
    });
    const isWhole = await writeBlocks({ client, file, network: network!, last, signal: stop.signal });
    if (!isWhole) {
      await file.pause();
      console.error(
        `\nStopped at height ${file.written!.height} of ${last}: the same command goes on from there, with ${out}.part.`,
      );
      return await signalled;
    }
    await writeNetwork(networkPath ?? networkPathOf(out), configuration!);
    await file.finish();
    console.log(`Wrote ${last} blocks to ${out}, and their network to ${networkPath ?? networkPathOf(out)}.`);
    return 0;
  } finally {
    await client.end();
  }
};
