import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, renameSync } from 'node:fs';
import { resolve } from 'node:path';
import { appMain } from './app-main.js';

export interface ChainFile {
  readonly archive: string;
  readonly network: string;
  readonly blocks: number;
}

export interface ChainShape {
  /** What the files are named by. */
  readonly name: string;
  readonly blocks: number;
  readonly transactionsPerBlock: number;
  readonly isSigned: boolean;
  readonly accounts?: number;
  readonly delegates?: number;
}

/** The chain's archive and network file; generated once, kept in `folder`. */
export const chainFile = (folder: string, shape: ChainShape): ChainFile => {
  const { name, blocks, transactionsPerBlock, isSigned, accounts = 20_000, delegates = 300 } = shape;
  const base = resolve(folder, `${name}-${blocks}`);
  const file = { archive: `${base}.ndjson`, network: `${base}.network.json`, blocks };
  if (existsSync(file.archive) && existsSync(file.network)) return file;
  mkdirSync(folder, { recursive: true });
  console.log(`Generating ${blocks} blocks, once: ${file.archive}`);
  const half = `${base}.half.ndjson`;
  const { status } = spawnSync(
    process.execPath,
    [
      appMain('devnet'),
      'generate',
      ...['--blocks', String(blocks), '--out', half, '--network', file.network],
      ...['--accounts', String(accounts), '--delegates', String(delegates)],
      ...['--transactions-per-block', String(transactionsPerBlock)],
      ...(isSigned ? [] : ['--no-signatures']),
    ],
    { stdio: ['ignore', 'ignore', 'inherit'] },
  );
  if (status !== 0) throw new Error('The chain could not be generated: the devnet says above why.');
  renameSync(half, file.archive);
  return file;
};

/** Mostly empty blocks, as those of most chains are. */
export const quietChain = (folder: string, blocks: number): ChainFile =>
  chainFile(folder, { name: 'quiet', blocks, transactionsPerBlock: 0.05, isSigned: false });

/** Short enough for whatever the length of a chain must not matter to. */
const SHORT_BLOCKS = 10_000;

/** A quiet chain that is no longer than the long one. */
export const shortChain = (folder: string, longBlocks: number): ChainFile =>
  quietChain(folder, Math.min(SHORT_BLOCKS, longBlocks));
