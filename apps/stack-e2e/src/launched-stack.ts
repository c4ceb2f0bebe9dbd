import type { ChildProcess } from 'node:child_process';
import { spawn } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { eventually, freePorts } from '@roundhouse/testing';

const START = fileURLToPath(new URL('../../../tools/start.mjs', import.meta.url));

const procText = (pid: string, file: string): string => {
  try {
    return readFileSync(`/proc/${pid}/${file}`, 'utf8');
  } catch {
    return '';
  }
};

/** The ids of the live processes whose arguments or environment contain the folder. */
const pidsOf = (folder: string): string[] =>
  readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name) && Number(name) !== process.pid)
    .filter((pid) => (procText(pid, 'cmdline') + procText(pid, 'environ')).includes(folder));

const commandOf = (pid: string): string => procText(pid, 'cmdline').replaceAll('\0', ' ');

/** Their command lines. */
export const processesOf = (folder: string): string[] =>
  pidsOf(folder)
    .map(commandOf)
    .filter((command) => command !== '');

/** The one of them that runs a program. */
export const processOf = (folder: string, program: string): number => {
  const pids = pidsOf(folder).filter((pid) => commandOf(pid).includes(program));
  if (pids.length !== 1) throw new Error(`${pids.length} processes run ${program}.`);
  return Number(pids[0]);
};

export interface Ports {
  readonly PORT: string;
  readonly DEVNET_PORT: string;
  readonly OPS_PORT: string;
}

/** The indexer's internal port is the one after OPS_PORT. */
export const stackPorts = async (): Promise<Ports> => {
  const [PORT, DEVNET_PORT, OPS_PORT] = (await freePorts(4)).map(String);
  return { PORT: PORT!, DEVNET_PORT: DEVNET_PORT!, OPS_PORT: OPS_PORT! };
};

/** A running `npm start`, in its own process. */
export class LaunchedStack {
  output = '';
  readonly ended: Promise<number | null>;
  private readonly child: ChildProcess;

  constructor(readonly environment: NodeJS.ProcessEnv) {
    const { PATH, HOME } = process.env;
    this.child = spawn(process.execPath, [START], {
      env: { PATH, HOME, DEVNET_BLOCK_TIME: '1', ...environment },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    this.child.stdout?.on('data', (chunk: Buffer) => (this.output += chunk.toString()));
    this.child.stderr?.on('data', (chunk: Buffer) => (this.output += chunk.toString()));
    this.ended = new Promise((resolve) => this.child.once('close', (code) => resolve(code)));
  }

  get url(): string {
    return `http://127.0.0.1:${this.environment['PORT']}`;
  }

  async ready(timeoutMs: number): Promise<void> {
    const hasEnded = (): boolean => this.child.exitCode !== null || this.child.signalCode !== null;
    await eventually('the stack is ready', () => this.output.includes('Ready.') || hasEnded(), timeoutMs);
    if (hasEnded()) throw new Error(`npm start ended:\n${this.output}`);
  }

  async height(): Promise<number> {
    const answer = await fetch(`${this.url}/api/blocks/getHeight`);
    return ((await answer.json()) as { height: number }).height;
  }

  signal(signal: NodeJS.Signals): void {
    this.child.kill(signal);
  }

  /** The addresses that it suggests to try. */
  curlTargets(): string[] {
    return [...this.output.matchAll(/^ {2}curl '?([^'\n]+)'?$/gm)].map(([, url]) => url ?? '');
  }

  /** All addresses that it prints, except that of the devnet. */
  addresses(): string[] {
    return [...this.output.matchAll(/http:[^\s',]+/g)]
      .map(([url]) => url)
      .filter((url) => !url.endsWith(`:${this.environment['DEVNET_PORT']}`));
  }

  /** The last line of its output. */
  lastLine(): string {
    return this.output.trim().split('\n').at(-1) ?? '';
  }
}
