import { spawn, type ChildProcess } from 'node:child_process';
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

type Environment = Readonly<Record<string, string>>;

const spawnApi = (environment: Environment, stdout: 'pipe' | number): ChildProcess => {
  const flags = ['--conditions=@roundhouse/source', '--no-warnings', '--import', TYPESCRIPT];
  return spawn(process.execPath, [...flags, '--import', END_WITH_JEST, MAIN], {
    env: { PATH: process.env['PATH'], PORT: '0', OPS_PORT: '0', ...environment },
    stdio: ['ignore', stdout, 'inherit', 'ipc'],
  });
};

const endOf = (child: ChildProcess): ApiProcess['ended'] =>
  once(child, 'close').then(([code, signal]) => ({
    code: code as number | null,
    signal: signal as NodeJS.Signals | null,
  }));

/** The api as a process of its own, from the sources, with nothing in its environment but what is given. */
export const startApiProcess = async (environment: Environment): Promise<ApiProcess> => {
  const child = spawnApi(environment, 'pipe');
  let written = '';
  child.stdout!.on('data', (text: Buffer) => (written += text.toString()));
  const linesOf = (): Line[] =>
    written
      .split('\n')
      .slice(0, -1)
      .map((line) => JSON.parse(line) as Line);
  const ended = endOf(child);
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

/** The same with its log going to a descriptor, so that only its ports tell of it: they are `PORT` and `OPS_PORT`. */
export const startApiLoggingTo = async (
  stdout: number,
  environment: Environment & Readonly<Record<'PORT' | 'OPS_PORT', string>>,
): Promise<Omit<ApiProcess, 'lines'>> => {
  const child = spawnApi(environment, stdout);
  const url = `http://127.0.0.1:${environment.PORT}`;
  const isUp = async (): Promise<boolean> => (await fetch(`${url}/api/blocks/getHeight`)).ok;
  await eventually('the api answers', async () => child.exitCode !== null || (await isUp()), 60_000);
  return {
    url,
    operationsUrl: `http://127.0.0.1:${environment.OPS_PORT}`,
    ended: endOf(child),
    kill: (signal) => child.kill(signal),
  };
};
