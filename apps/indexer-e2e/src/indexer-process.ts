import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { setTimeout as wait } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';

const path = (relative: string): string => fileURLToPath(new URL(relative, import.meta.url));

const MAIN = path('../../indexer/src/main.ts');
const TYPESCRIPT = new URL('../../../tools/jest/typescript.mjs', import.meta.url).href;
/** However jest ends, no indexer stays behind. */
const END_WITH_JEST = new URL('../../../tools/src/launcher/end-with-parent.ts', import.meta.url).href;

/** Linux counts processor time so, whatever the kernel's own clock is. */
const TICKS_PER_SECOND = 100;

type Environment = Readonly<Record<string, string>>;

export interface Ended {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** What Node.js is given to run `indexer <command>` from the sources. */
export const indexerCommand = (
  command: readonly string[],
  imports: readonly string[] = [],
): readonly string[] => [
  '--conditions=@roundhouse/source',
  '--no-warnings',
  '--import',
  TYPESCRIPT,
  ...imports,
  MAIN,
  ...command,
];

/** `indexer <command>` as a process of its own, from the sources, with nothing in its environment but what is given. */
export class IndexerProcess {
  readonly ended: Promise<Ended>;
  private readonly child: ChildProcess;
  private readonly said = { stdout: '', stderr: '' };

  /** @param stdout where its log goes; what goes there is in nothing that this object tells */
  constructor(command: readonly string[], environment: Environment, stdout: 'pipe' | number = 'pipe') {
    this.child = spawn(process.execPath, indexerCommand(command, ['--import', END_WITH_JEST]), {
      env: { PATH: process.env['PATH'], OPS_PORT: '0', POLL_INTERVAL_MS: '100', ...environment },
      stdio: ['ignore', stdout, 'pipe', 'ipc'],
    });
    const { said } = this;
    this.child.stdout?.on('data', (text: Buffer) => (said.stdout += text.toString()));
    this.child.stderr!.on('data', (text: Buffer) => (said.stderr += text.toString()));
    this.ended = once(this.child, 'close').then(([code]) => ({ code: code as number | null, ...said }));
  }

  /** Sends a signal and waits for the end. */
  kill(signal: NodeJS.Signals): Promise<Ended> {
    this.child.kill(signal);
    return this.ended;
  }

  /** Waits for a line on stdout that matches; fails when the process ends without it. */
  async says(line: RegExp): Promise<RegExpExecArray> {
    for (;;) {
      const match = line.exec(this.said.stdout);
      if (match) return match;
      const isOver = this.child.exitCode !== null || this.child.signalCode !== null;
      if (isOver) throw new Error(`It ended without ${line.source}: ${this.said.stdout}${this.said.stderr}`);
      await wait(20);
    }
  }

  /** Processor time that the process has used, in seconds. */
  cpuSeconds(): number {
    const [, fields] = readFileSync(`/proc/${this.child.pid}/stat`, 'utf8').split(') ');
    const [userTicks, systemTicks] = fields!.split(' ').slice(11, 13).map(Number);
    return (userTicks! + systemTicks!) / TICKS_PER_SECOND;
  }
}

/** Runs a command to its end. */
export const indexer = (command: readonly string[], environment: Environment): Promise<Ended> =>
  new IndexerProcess(command, environment).ended;
