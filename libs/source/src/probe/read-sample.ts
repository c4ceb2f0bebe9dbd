import type { Block, Network } from '@roundhouse/chain';
import { SegmentDecoder } from '../archive/decode-line.js';
import type { BlockSource } from '../block-source.js';
import type { Verification } from '../checks/block-checker.js';
import { PAGE_LIMIT } from '../core-api/core-line.js';
import type { KnownBlocks } from './known-blocks.js';
import type { Sample } from './source-report.js';

/** As many as an indexer downloads at a time (FETCH_CONCURRENCY). */
const RANGES = 4;

/** Segments are read for this long. */
const READ_FOR_MS = 2_000;

const secondsSince = (start: number): number => (performance.now() - start) / 1_000;

const transactionsIn = (blocks: readonly Block[]): number =>
  blocks.reduce((sum, { numberOfTransactions }) => sum + numberOfTransactions, 0);

/**
 * Reads ranges from the genesis block to the newest, spread evenly, at the same time. Returns no requests; the caller
 * counts them. Throws `NodeProtocolError` if blocks are missing or wrong.
 */
export const sampleRanges = async (known: KnownBlocks, height: number): Promise<Sample> => {
  const size = Math.min(PAGE_LIMIT, Math.max(1, Math.floor(height / RANGES)));
  const starts = Array.from(
    { length: RANGES },
    (_, i) => 1 + Math.floor(((height - size) * i) / (RANGES - 1)),
  );
  const start = performance.now();
  const ranges = await Promise.all([...new Set(starts)].map((from) => known.read(from, from + size - 1)));
  const blocks = ranges.flat();
  return {
    blocks: blocks.length,
    transactions: transactionsIn(blocks),
    requests: 0,
    seconds: secondsSince(start),
    lowestHeight: 1,
    highestHeight: Math.max(...blocks.map((block) => block.height)),
  };
};

/** Reads segments from the middle of the chain on, as bulk indexing does, in one thread. Null if there are none. */
export const sampleSegments = async (
  source: BlockSource,
  height: number,
  network: Network,
  verify: Verification,
): Promise<Sample | null> => {
  const decoder = new SegmentDecoder({ source: source.name, network, verify });
  const first = Math.max(1, Math.floor(height / 2));
  const start = performance.now();
  let blocks = 0;
  let transactions = 0;
  for await (const segment of source.segments!(first)) {
    const read: Block[] = [];
    decoder.decode(segment, read);
    blocks += read.length;
    transactions += transactionsIn(read);
    if (performance.now() - start > READ_FOR_MS) break;
  }
  if (blocks === 0) return null;
  return {
    blocks,
    transactions,
    requests: 0,
    seconds: secondsSince(start),
    lowestHeight: first,
    highestHeight: first + blocks - 1,
  };
};
