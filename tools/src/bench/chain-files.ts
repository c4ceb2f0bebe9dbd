import { existsSync, mkdirSync, renameSync } from 'node:fs';
import { resolve } from 'node:path';
import { runApp } from '@roundhouse/local-postgres';

export interface ChainFile {
  readonly archive: string;
  readonly network: string;
  readonly blocks: number;
}

export interface ChainShape {
  /** The part of the file names that identifies the chain. */
  readonly name: string;
  readonly blocks: number;
  readonly transactionsPerBlock: number;
  readonly isSigned: boolean;
  readonly accounts?: number;
  readonly delegates?: number;
  /** The share of votes that one delegate gets. */
  readonly popularity?: number;
}

/** Returns the chain's archive and network file, generated once and kept in `folder`. */
export const chainFile = async (folder: string, shape: ChainShape): Promise<ChainFile> => {
  const { name, blocks, transactionsPerBlock, isSigned, accounts = 20_000, delegates = 300 } = shape;
  const { popularity = 0 } = shape;
  const base = resolve(folder, `${name}-${blocks}`);
  const file = { archive: `${base}.ndjson`, network: `${base}.network.json`, blocks };
  if (existsSync(file.archive) && existsSync(file.network)) return file;
  mkdirSync(folder, { recursive: true });
  console.log(`Generating ${blocks} blocks, once: ${file.archive}`);
  const half = `${base}.half.ndjson`;
  const command = [
    'generate',
    ...['--blocks', String(blocks), '--out', half, '--network', file.network],
    ...['--accounts', String(accounts), '--delegates', String(delegates)],
    ...['--transactions-per-block', String(transactionsPerBlock), '--popularity', String(popularity)],
    ...(isSigned ? [] : ['--no-signatures']),
  ];
  // A terminal shows how far it is.
  await runApp('devnet', command, {}, { stderr: 'inherit' });
  renameSync(half, file.archive);
  return file;
};

/** Mostly empty blocks, as on most chains. */
export const quietChain = (folder: string, blocks: number): Promise<ChainFile> =>
  chainFile(folder, { name: 'quiet', blocks, transactionsPerBlock: 0.05, isSigned: false });

/** The length of a short chain, for costs that must not depend on the length. */
const SHORT_BLOCKS = 10_000;

/** A chain with few transactions, at most as long as the long one. */
export const shortChain = (folder: string, longBlocks: number): Promise<ChainFile> =>
  quietChain(folder, Math.min(SHORT_BLOCKS, longBlocks));
