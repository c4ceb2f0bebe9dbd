import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { createWriteStream, readFileSync, type WriteStream } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { guard } from './guard.js';
import { statusOf } from './status-of.js';
import { openOutput, type Output } from './output.js';

export interface ProgramOptions {
  readonly name: string;
  readonly command: string;
  readonly args: readonly string[];
  readonly environment: NodeJS.ProcessEnv;
  readonly logFolder: string;
  /** Whether it works; polled after each start. */
  readonly works: () => Promise<boolean>;
  /** Answers with 200 while the program lives. */
  readonly livenessUrl?: string;
  /** Called when it ends without being asked to; it is then restarted. */
  readonly onSelfEnded: (ended: SelfEnded) => void;
}

export interface SelfEnded {
  readonly name: string;
  /** Whether it worked before it ended. */
  readonly wasReady: boolean;
  readonly how: string;
  readonly lastLine: string;
}

const START_TIMEOUT_MS = 60_000;
const STOP_TIMEOUT_MS = 30_000;
const START_AGAIN_MS = 500;
const MOST_FAILED_STARTS = 3;
const LONGEST_LINE = 300;
const ALIVE_WITHIN_MS = 30_000;
const ASK_AGAIN_MS = 50;

/** A line of level warn or above, as pino writes it. */
const WARNING = /"level":[4-6]0/;

/** A real process that is killed, paused and restarted; all its logs go to one file. */
export class Program {
  private child: ChildProcess | null = null;
  private isReady = false;
  private isWanted = false;
  private isPaused = false;
  private wellSince = Infinity;
  private readonly log: WriteStream;
  private lastLine = '';
  /** When it last logged a warning or an error (`performance.now()`). */
  warnedAt = -Infinity;
  /** The number of failed starts in a row. */
  private failedStarts = 0;
  private output: Output = 'read';

  constructor(private readonly options: ProgramOptions) {
    this.log = createWriteStream(join(options.logFolder, `${options.name}.log`), { flags: 'a' });
  }

  get name(): string {
    return this.options.name;
  }

  /** Whether it has run undisturbed since that moment (`performance.now()`). */
  isWellSince(moment: number): boolean {
    return this.wellSince <= moment;
  }

  /** Peak memory since its last start; null if unknown. */
  get peakMiB(): number | null {
    try {
      const status = readFileSync(`/proc/${this.child?.pid}/status`, 'utf8');
      const [, kibibytes] = /^VmHWM:\s+(\d+) kB$/m.exec(status) ?? [];
      return kibibytes === undefined ? null : Math.round(Number(kibibytes) / 1_024);
    } catch {
      return null;
    }
  }

  /** Starts it unless it runs. Does not wait until it works, because the simulation may be what keeps it from working. */
  async start(output: Output = 'read'): Promise<void> {
    this.isWanted = true;
    this.output = output;
    if (this.child === null) this.launch();
  }

  async untilReady(): Promise<void> {
    const deadline = performance.now() + START_TIMEOUT_MS;
    while (!this.isReady) {
      if (performance.now() > deadline || this.failedStarts >= MOST_FAILED_STARTS) {
        throw new Error(`${this.name} does not start: ${this.lastLine}`);
      }
      await wait(20);
    }
  }

  /** Whether the program reports in time that it lives. For programs whose log is not read. */
  async comesAlive(): Promise<boolean> {
    const deadline = performance.now() + ALIVE_WITHIN_MS;
    while (!(await this.isAlive())) {
      if (performance.now() > deadline) return false;
      await wait(50);
    }
    return true;
  }

  /** Ends it at once, like `kill -9`. */
  async kill(): Promise<void> {
    await this.end('SIGKILL');
  }

  /** Asks it to stop. Returns its exit code; null if it had to be killed. */
  async stop(): Promise<number | null> {
    const { child } = this;
    if (child === null) return 0;
    this.resume();
    const timer = setTimeout(() => child.kill('SIGKILL'), STOP_TIMEOUT_MS);
    await this.end('SIGTERM');
    clearTimeout(timer);
    return child.exitCode;
  }

  pause(): void {
    this.isPaused = true;
    this.wellSince = Infinity;
    this.child?.kill('SIGSTOP');
  }

  resume(): void {
    this.isPaused = false;
    this.child?.kill('SIGCONT');
    if (this.isReady) this.wellSince = performance.now();
  }

  private async end(signal: NodeJS.Signals): Promise<void> {
    const { child } = this;
    this.isWanted = false;
    this.wellSince = Infinity;
    if (child === null) return;
    const closed = once(child, 'close');
    child.kill(signal);
    await closed;
  }

  private async isAlive(): Promise<boolean> {
    const { livenessUrl } = this.options;
    if (livenessUrl === undefined) throw new Error(`${this.name} has no URL that says whether it lives.`);
    return (await statusOf(livenessUrl)) === 200;
  }

  private launch(): void {
    const { name, command, args, environment, logFolder } = this.options;
    const output = openOutput(this.output, join(logFolder, `${name}.pipe`));
    const child = spawn(command, args, {
      env: environment,
      detached: true,
      stdio: ['ignore', output.stdio, output.stdio],
    });
    this.child = child;
    const release = child.pid === undefined ? () => undefined : guard(child.pid);
    const hear = (chunk: Buffer): void => {
      this.log.write(chunk);
      if (WARNING.test(chunk.toString())) this.warnedAt = performance.now();
      this.lastLine = chunk.toString().trim().split('\n').at(-1)?.slice(0, LONGEST_LINE) ?? '';
    };
    child.stdout?.on('data', hear);
    child.stderr?.on('data', hear);
    child.once('error', (error) => (this.lastLine = error.message));
    child.once('close', (code, signal) => {
      release();
      output.close();
      this.ended(String(signal ?? `code ${code}`));
    });
    // A program whose log is not read is never considered ready; `comesAlive` asks it instead.
    if (this.output === 'read') void this.watchStart(child);
  }

  private async watchStart(child: ChildProcess): Promise<void> {
    while (this.child === child) {
      if (!(await this.options.works())) {
        await wait(ASK_AGAIN_MS);
        continue;
      }
      // It may have been asked to end, or paused, while it answered.
      if (this.child !== child || !this.isWanted) return;
      this.isReady = true;
      this.failedStarts = 0;
      if (!this.isPaused) this.wellSince = performance.now();
      return;
    }
  }

  private ended(how: string): void {
    const wasReady = this.isReady;
    this.child = null;
    this.isReady = false;
    this.wellSince = Infinity;
    this.log.write(`--- ended: ${how}\n`);
    if (!this.isWanted) return;
    if (!wasReady) this.failedStarts += 1;
    this.options.onSelfEnded({ name: this.name, wasReady, how, lastLine: this.lastLine });
    setTimeout(() => {
      if (this.isWanted && this.child === null) this.launch();
    }, START_AGAIN_MS);
  }
}
