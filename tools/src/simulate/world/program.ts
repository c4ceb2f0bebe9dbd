import { createWriteStream, type WriteStream } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { statusOf, type LocalProcess, type LocalProcessOptions } from '@roundhouse/local-postgres';
import { eventually } from '@roundhouse/testing';
import { openOutput, type Output } from './output.js';

export interface ProgramOptions {
  readonly name: string;
  readonly launch: (output: Pick<LocalProcessOptions, 'stdout' | 'stderr' | 'hear'>) => LocalProcess;
  readonly logFolder: string;
  /** Whether it works; polled after each start. */
  readonly works: () => Promise<boolean>;
  /** Answers with 200 while the program lives. */
  readonly livenessUrl: string;
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
const START_AGAIN_MS = 500;
const MOST_FAILED_STARTS = 3;
const LONGEST_LINE = 300;
const ALIVE_WITHIN_MS = 30_000;
const ASK_AGAIN_MS = 50;

/** A line of level warn or above, as pino writes it. */
const WARNING = /"level":[4-6]0/;

/** A real process that is killed, paused and restarted; all its logs go to one file. */
export class Program {
  private child: LocalProcess | null = null;
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
    return this.child?.peakMiB ?? null;
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
  comesAlive(): Promise<boolean> {
    const { name, livenessUrl } = this.options;
    const lives = async (): Promise<boolean> => (await statusOf(livenessUrl)) === 200;
    return eventually(`${name} lives`, lives, ALIVE_WITHIN_MS).then(
      () => true,
      () => false,
    );
  }

  /** Ends it at once, like `kill -9`. */
  async kill(): Promise<void> {
    this.expectEnd();
    await this.child?.kill();
  }

  /** Asks it to stop. Returns its exit code; null if it had to be killed. */
  async stop(): Promise<number | null> {
    this.expectEnd();
    this.isPaused = false;
    return this.child === null ? 0 : (await this.child.stop()).code;
  }

  pause(): void {
    this.isPaused = true;
    this.wellSince = Infinity;
    this.child?.pause();
  }

  resume(): void {
    this.isPaused = false;
    this.child?.resume();
    if (this.isReady) this.wellSince = performance.now();
  }

  private expectEnd(): void {
    this.isWanted = false;
    this.wellSince = Infinity;
  }

  private launch(): void {
    const { descriptor, close } = openOutput(this.output);
    const hear = (text: string): void => {
      this.log.write(text);
      if (WARNING.test(text)) this.warnedAt = performance.now();
      this.lastLine = text.trim().split('\n').at(-1)?.slice(0, LONGEST_LINE) ?? '';
    };
    const child = this.options.launch({ stdout: descriptor, stderr: descriptor, hear });
    this.child = child;
    void child.ended.then(({ code, signal }) => {
      close();
      this.ended(String(signal ?? `code ${code}`));
    });
    // A program whose log is not read is never considered ready; `comesAlive` asks it instead.
    if (this.output === 'read') void this.watchStart(child);
  }

  private async watchStart(child: LocalProcess): Promise<void> {
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
