import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

const path = (relative: string): string => fileURLToPath(new URL(relative, import.meta.url));

const MAIN = path('../../indexer/src/main.ts');
const TYPESCRIPT = new URL('../../../tools/jest/typescript.mjs', import.meta.url).href;
/** However jest ends, no indexer stays behind. */
const END_WITH_JEST = new URL('../../../tools/src/launcher/end-with-parent.ts', import.meta.url).href;

type Environment = Readonly<Record<string, string>>;

export interface Ended {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** `indexer <command>` as a process of its own, from the sources, with nothing in its environment but what is given. */
export class IndexerProcess {
  readonly ended: Promise<Ended>;
  private readonly child: ChildProcess;

  constructor(command: readonly string[], environment: Environment) {
    const args = [
      '--conditions=@roundhouse/source',
      '--no-warnings',
      '--import',
      TYPESCRIPT,
      '--import',
      END_WITH_JEST,
      MAIN,
      ...command,
    ];
    this.child = spawn(process.execPath, args, {
      env: { PATH: process.env['PATH'], OPS_PORT: '0', POLL_INTERVAL_MS: '100', ...environment },
      stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    });
    const said = { stdout: '', stderr: '' };
    this.child.stdout!.on('data', (text: Buffer) => (said.stdout += text.toString()));
    this.child.stderr!.on('data', (text: Buffer) => (said.stderr += text.toString()));
    this.ended = once(this.child, 'close').then(([code]) => ({ code: code as number | null, ...said }));
  }

  kill(signal: NodeJS.Signals): Promise<Ended> {
    this.child.kill(signal);
    return this.ended;
  }
}

/** Runs a command to its end. */
export const indexer = (command: readonly string[], environment: Environment): Promise<Ended> =>
  new IndexerProcess(command, environment).ended;
