import { existsSync, mkdirSync, renameSync } from 'node:fs';
import { resolve } from 'node:path';
import { runApp } from '@roundhouse/local-postgres';

export interface ChainFile {
  readonly archive: string;
  readonly network: string;
  readonly blocks: number;
}

interface ChainShape {
  readonly transactionsPerBlock: number;
  readonly isSigned?: boolean;
  readonly accounts?: number;
  readonly delegates?: number;
  /** The share of votes that one delegate gets. */
  readonly popularity?: number;
}

/** Returns the archive and network file of a chain, generated once and kept in `folder` under this name. */
export const chainFile = async (
  folder: string,
  name: string,
  blocks: number,
  { transactionsPerBlock, isSigned = false, accounts = 20_000, delegates = 300, popularity = 0 }: ChainShape,
): Promise<ChainFile> => {
  const base = resolve(folder, `${name}-${blocks}`);
  const file = { archive: `${base}.ndjson`, network: `${base}.network.json`, blocks };
  if (existsSync(file.archive) && existsSync(file.network)) return file;
  mkdirSync(folder, { recursive: true });
  console.log(`Generating ${blocks} blocks, once: ${file.archive}`);
  const half = `${base}.half.ndjson`;
  const command = [
    'generate',
    '--blocks',
    String(blocks),
    '--out',
    half,
    '--network',
    file.network,
    '--accounts',
    String(accounts),
    '--delegates',
    String(delegates),
    '--transactions-per-block',
    String(transactionsPerBlock),
    '--popularity',
    String(popularity),
    ...(isSigned ? [] : ['--no-signatures']),
  ];
  // A terminal shows how far it is.
  await runApp('devnet', command, {}, { stderr: 'inherit' });
  renameSync(half, file.archive);
  return file;
};

/** Mostly empty blocks, as on most chains. */
export const quietChain = (folder: string, blocks: number): Promise<ChainFile> =>
  chainFile(folder, 'quiet', blocks, { transactionsPerBlock: 0.05 });

/** The length of a short chain, for costs that must not depend on the length. */
export const SHORT_BLOCKS = 10_000;
