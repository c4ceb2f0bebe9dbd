import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { eventually } from '@roundhouse/testing';

const MAIN = fileURLToPath(new URL('../../../api/src/main.ts', import.meta.url));
const TYPESCRIPT = new URL('../../../../tools/jest/typescript.mjs', import.meta.url).href;
/** However jest ends, no api stays behind. */
const END_WITH_JEST = new URL('../../../../tools/src/launcher/end-with-parent.ts', import.meta.url).href;

type Line = Readonly<Record<string, unknown>>;

export interface ApiProcess {
  readonly url: string;
  readonly operationsUrl: string;
  /** The log lines so far. */
  readonly lines: readonly Line[];
  readonly ended: Promise<{ readonly code: number | null; readonly signal: NodeJS.Signals | null }>;
  kill(signal: NodeJS.Signals): void;
}

/** The api as a process of its own, from the sources, with nothing in its environment but what is given. */
export const startApiProcess = async (environment: Readonly<Record<string, string>>): Promise<ApiProcess> => {
  const flags = ['--conditions=@roundhouse/source', '--no-warnings', '--import', TYPESCRIPT];
  const child = spawn(process.execPath, [...flags, '--import', END_WITH_JEST, MAIN], {
    env: { PATH: process.env['PATH'], PORT: '0', OPS_PORT: '0', ...environment },
    stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
  });
  let written = '';
  child.stdout!.on('data', (text: Buffer) => (written += text.toString()));
  const linesOf = (): Line[] =>
    written
      .split('\n')
      .slice(0, -1)
      .map((line) => JSON.parse(line) as Line);
  const ended = once(child, 'close').then(([code, signal]) => ({
    code: code as number | null,
    signal: signal as NodeJS.Signals | null,
  }));
  const start = (): Line | undefined => linesOf().find(({ msg }) => msg === 'the api answers');
  await eventually('the api answers', () => start() !== undefined || child.exitCode !== null, 60_000);
  const { url, operations } = start() as { url: string; operations: string };
  return {
    url,
    operationsUrl: operations,
    get lines() {
      return linesOf();
    },
    ended,
    kill: (signal) => child.kill(signal),
  };
};
