import { runApp } from '@roundhouse/local-postgres';

interface GeneratedChain {
  readonly archive: string;
  readonly network: string;
  readonly blocks: number;
  /** The height of a block whose forger is an active delegate that does not have the slot. (Default: none) */
  readonly misplaced?: number;
}

/** Makes the devnet write a chain with real signatures; every call writes the same chain. */
export const generateChain = async ({
  archive,
  network,
  blocks,
  misplaced,
}: GeneratedChain): Promise<void> => {
  const command = [
    ...['generate', '--blocks', String(blocks), '--out', archive, '--network', network],
    ...['--accounts', '60', '--delegates', '55', '--transactions-per-block', '0.5'],
    ...(misplaced === undefined ? [] : ['--misplaced', String(misplaced)]),
  ];
  await runApp('devnet', command);
};
