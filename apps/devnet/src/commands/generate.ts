import { chainMaker, makeBlocks, type ChainOptions, type ChainTiming } from '@roundhouse/forging';
import { rawBlocks } from '../chain/raw-block.js';
import { networkPathOf, writeArchive, writeNetwork } from './archive-writer.js';

export interface GenerateOptions extends ChainOptions {
  readonly blocks: number;
  /** The path of the archive; gzipped if it ends in `.gz`. */
  readonly out: string;
  /** The path of the network file. (Default: beside the archive) */
  readonly network?: string | undefined;
  /** Seconds. */
  readonly blockTime: number;
  readonly blockTimeChange?: ChainTiming['blockTimeChange'];
  /** The height of a block whose forger does not have the slot. (Default: none) */
  readonly misplaced?: number | undefined;
  /** ISO 8601. The same at every call, so that the network file is the same too. */
  readonly epoch: string;
}

/** Forges a chain and writes it as an archive with its network file. Returns the number of blocks. */
export const generateArchive = async (
  options: GenerateOptions,
  onProgress: (height: number) => void = () => undefined,
): Promise<number> => {
  const { blocks, out, network, blockTime, blockTimeChange, epoch, misplaced } = options;
  const timing = { blockTime, blockTimeChange, epoch };
  const maker = chainMaker(options);
  writeNetwork(network ?? networkPathOf(out), maker.network(timing));
  const made = makeBlocks(maker, maker.emptyState(timing), blocks, misplaced);
  return writeArchive(out, rawBlocks(made), onProgress);
};
