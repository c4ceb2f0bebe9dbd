import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

const DEVNET = fileURLToPath(new URL('../../devnet/src/main.ts', import.meta.url));
const TYPESCRIPT = new URL('../../../tools/jest/typescript.mjs', import.meta.url).href;

interface GeneratedChain {
  readonly archive: string;
  readonly network: string;
  readonly blocks: number;
}

/** Has the devnet write a chain with real signatures: the same at every call. */
export const generateChain = async ({ archive, network, blocks }: GeneratedChain): Promise<void> => {
  const child = spawn(
    process.execPath,
    [
      ...['--conditions=@roundhouse/source', '--no-warnings', '--import', TYPESCRIPT, DEVNET, 'generate'],
      ...['--blocks', String(blocks), '--out', archive, '--network', network],
      ...['--accounts', '60', '--delegates', '55', '--transactions-per-block', '0.5'],
    ],
    { stdio: ['ignore', 'ignore', 'inherit'] },
  );
  const [code] = (await once(child, 'close')) as [number | null];
  if (code !== 0) throw new Error('The devnet could not generate the chain; it says above why.');
};
