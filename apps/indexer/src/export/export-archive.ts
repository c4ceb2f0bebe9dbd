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
import { findBlockId, readNetwork, readPosition, storedBlocks } from '@roundhouse/storage';
import type { ClientBase } from 'pg';
import { Progress } from '../command-line/progress.js';
import { writing } from '../files/access.js';
import { ArchiveFile } from './archive-file.js';
import type { Outcome } from './export-folder.js';

/** `chain.ndjson.gz` → `chain.network.json`. */
export const networkPathOf = (archivePath: string): string =>
  `${archivePath.replace(/\.gz$/, '').replace(/\.(nd)?jsonl?$/, '')}.network.json`;

const writeNetwork = (networkPath: string, configuration: string): Promise<void> =>
  writing(
    networkPath,
    (path) => writeFile(path, `${JSON.stringify(JSON.parse(configuration), null, 2)}\n`),
    'name another with "--network FILE".',
  );

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

interface ArchiveOptions {
  readonly out: string;
  readonly networkPath: string;
  /** The last height; null for the head. */
  readonly to: number | null;
}

/** Writes from one snapshot. If `signal` comes first, the same call continues. */
export const exportArchive = async (
  client: ClientBase,
  { out, networkPath, to }: ArchiveOptions,
  signal: AbortSignal,
): Promise<Outcome> => {
  await client.query('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY');
  const { head } = await readPosition(client);
  const last = lastHeightOf(head, to);
  const stored = await readNetwork(client);
  const file = await ArchiveFile.open(out, async ({ height, id }) => {
    return height <= last && (await findBlockId(client, height)) === id;
  });
  const isWhole = await writeBlocks({ client, file, network: stored!.network, last, signal });
  if (!isWhole) {
    await file.pause();
    return {
      isWhole: false,
      message: `Stopped at height ${file.written!.height} of ${last}: the same command continues from there, with ${out}.part.`,
    };
  }
  await writeNetwork(networkPath, stored!.text);
  await file.finish();
  return { isWhole: true, message: `Wrote ${last} blocks to ${out}, and their network to ${networkPath}.` };
};
