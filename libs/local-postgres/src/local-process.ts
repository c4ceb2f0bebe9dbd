import { spawn, type ChildProcess } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { connect } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import type { DatabaseUser } from './database-user.js';
import { guard } from './guard.js';
import { waitUntil } from './wait-until.js';

/** How long a process may take to end after each of its signals. */
const STOP_TIMEOUT_MS = 30_000;
const ANSWER_TIMEOUT_MS = 2_000;
const ASK_AGAIN_MS = 20;

/** The unit in which Linux reports processor time, whatever the kernel's own clock is. */
const TICKS_PER_SECOND = 100;

export interface Ended {
  /** Null if a signal ended it. */
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly stdout: string;
  readonly stderr: string;
}

export interface LocalProcessOptions {
  /** All variables of its environment. */
  readonly environment?: NodeJS.ProcessEnv;
  /** (Default: the folder of this process) */
  readonly folder?: string;
  /** (Default: the user of this process) */
  readonly user?: DatabaseUser;
  /** A descriptor that gets its stdout, which this process then does not see. */
  readonly stdout?: number;
  readonly stderr?: number | 'inherit';
  /** Whether `type` can be used. (Default: false) */
  readonly takesInput?: boolean;
  /** Takes what this process sees of its output, which is then not kept. */
  readonly hear?: (text: string) => void;
  /** What ends it, one after the other. (Default: SIGTERM, SIGKILL) */
  readonly signals?: readonly NodeJS.Signals[];
}

const procFile = (pid: number | undefined, name: string): string => {
  try {
    return readFileSync(`/proc/${pid}/${name}`, 'utf8');
  } catch {
    return '';
  }
};

/** Processor time that a process has used, in seconds; NaN if unknown. */
export const cpuSecondsOf = (pid: number | undefined): number => {
  const [, fields = ''] = procFile(pid, 'stat').split(') ');
  const [userTicks, systemTicks] = fields.split(' ').slice(11, 13).map(Number);
  return (userTicks! + systemTicks!) / TICKS_PER_SECOND;
};

/** The status with which a URL answers; null if nothing answers in 2 s. */
export const statusOf = async (url: string): Promise<number | null> => {
  try {
    const answer = await fetch(url, { signal: AbortSignal.timeout(ANSWER_TIMEOUT_MS) });
    await answer.body?.cancel();
    return answer.status;
  } catch {
    return null;
  }
};

const takesConnections = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1');
    socket.once('error', () => resolve(false));
    socket.once('connect', () => resolve(socket.destroy().destroyed));
  });

/**
 * A running program. It is in a session of its own, so Ctrl-C reaches only this process, and it ends when this process
 * ends, however that ends.
 */
export class LocalProcess {
  /** Resolves when it has ended, also if it could not be started; then `stderr` says why. */
  readonly ended: Promise<Ended>;
  /** What it has written so far, as far as this process sees and keeps it. */
  readonly output = { stdout: '', stderr: '' };
  private readonly child: ChildProcess;
  private readonly signals: readonly NodeJS.Signals[];

  constructor(command: string, args: readonly string[], options: LocalProcessOptions = {}) {
    const { environment = {}, folder, user, stdout = 'pipe', stderr = 'pipe' } = options;
    const { output } = this;
    this.signals = options.signals ?? ['SIGTERM', 'SIGKILL'];
    const child = spawn(command, args, {
      ...user,
      cwd: folder,
      env: environment,
      detached: true,
      stdio: [options.takesInput ? 'pipe' : 'ignore', stdout, stderr],
    });
    this.child = child;
    const hearing = (stream: keyof typeof output) => (chunk: Buffer | string) =>
      options.hear ? options.hear(chunk.toString()) : (output[stream] += chunk.toString());
    child.stdout?.on('data', hearing('stdout'));
    child.stderr?.on('data', hearing('stderr'));
    child.once('error', ({ message }) => hearing('stderr')(message));
    if (child.pid !== undefined) child.once('exit', guard(child.pid, this.signals));
    this.ended = new Promise((resolve) =>
      child.once('close', (code, signal) => resolve({ code, signal, ...output })),
    );
  }

  /** 0 if it could not be started. */
  get pid(): number {
    return this.child.pid ?? 0;
  }

  get hasEnded(): boolean {
    return this.child.exitCode !== null || this.child.signalCode !== null;
  }

  /** Sends a signal and waits for the end. */
  kill(signal: NodeJS.Signals = 'SIGKILL'): Promise<Ended> {
    this.child.kill(signal);
    return this.ended;
  }

  /** Ends it with the first signal, or with the next one if that takes longer than 30 s. Does nothing if it has ended. */
  async stop(signals = this.signals): Promise<Ended> {
    for (const signal of signals) {
      this.child.kill(signal);
      this.resume();
      if (await waitUntil(() => this.hasEnded, STOP_TIMEOUT_MS)) break;
    }
    return this.ended;
  }

  /** Writes to its stdin. */
  type(text: string): void {
    this.child.stdin?.write(text);
  }

  pause(): void {
    this.child.kill('SIGSTOP');
  }

  resume(): void {
    this.child.kill('SIGCONT');
  }

  /** This process may end although it runs. */
  unref(): void {
    this.child.unref();
  }

  /** Waits until something is so; throws with the output if it ends first. */
  async until(
    what: string,
    isSo: () => boolean | Promise<boolean>,
    askAgainMs = ASK_AGAIN_MS,
  ): Promise<void> {
    while (!(await isSo())) {
      if (this.hasEnded) {
        const { stdout, stderr } = await this.ended;
        throw new Error(`The process ended before ${what}: ${stdout}${stderr}`);
      }
      await delay(askAgainMs);
    }
  }

  /** Waits until it answers 200 at `url`. */
  answers(url: string, askAgainMs?: number): Promise<void> {
    return this.until(`it answered ${url}`, async () => (await statusOf(url)) === 200, askAgainMs);
  }

  /** Waits until it accepts connections at `port`. */
  listens(port: number): Promise<void> {
    return this.until(`it listened on port ${port}`, () => takesConnections(port));
  }

  /** Waits until its stdout matches. */
  says(line: RegExp): Promise<void> {
    return this.until(`it wrote ${line.source}`, () => line.test(this.output.stdout));
  }

  /** Peak memory in MiB; null if unknown. */
  get peakMiB(): number | null {
    const [, kibibytes] = /^VmHWM:\s+(\d+) kB$/m.exec(this.procFile('status')) ?? [];
    return kibibytes === undefined ? null : Math.round(Number(kibibytes) / 1_024);
  }

  /** Processor time that it has used, in seconds; NaN if unknown. */
  get cpuSeconds(): number {
    return cpuSecondsOf(this.pid);
  }

  private procFile(name: string): string {
    return procFile(this.pid, name);
  }
}
