import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { connect } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';

const inWorkspace = (path: string): URL => new URL(`../../../../${path}`, import.meta.url);

/** Ends the program however jest ends. */
const END_WITH_JEST = inWorkspace('libs/local-postgres/dist/end-with-parent.js').href;

/** The unit in which Linux reports processor time, whatever the kernel's own clock is. */
const TICKS_PER_SECOND = 100;

export type AppName = 'api' | 'devnet' | 'indexer';

export interface Ended {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly stdout: string;
  readonly stderr: string;
}

export interface LogLine {
  readonly msg?: unknown;
  readonly [field: string]: unknown;
}

/** The arguments for Node.js to run a command of a compiled app. A test run begins by compiling the apps. */
export const appCommand = (app: AppName, command: readonly string[]): readonly string[] => [
  fileURLToPath(inWorkspace(`apps/${app}/dist/main.js`)),
  ...command,
];

const takesConnections = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1');
    socket.once('error', () => resolve(false));
    socket.once('connect', () => resolve(socket.destroy().destroyed));
  });

/** Runs `<app> <command>` as a process, with nothing in its environment except the given variables. */
export class AppProcess {
  readonly ended: Promise<Ended>;
  private readonly child: ChildProcess;
  private readonly output = { stdout: '', stderr: '' };

  /** @param stdout a descriptor for its log; this object does not see what is written there */
  constructor(
    app: AppName,
    command: readonly string[],
    environment: Readonly<Record<string, string>>,
    stdout: 'pipe' | number = 'pipe',
  ) {
    this.child = spawn(process.execPath, ['--import', END_WITH_JEST, ...appCommand(app, command)], {
      env: { PATH: process.env['PATH'], ...environment },
      stdio: ['ignore', stdout, 'pipe', 'ipc'],
    });
    const { output } = this;
    this.child.stdout?.on('data', (text: Buffer) => (output.stdout += text.toString()));
    this.child.stderr!.on('data', (text: Buffer) => (output.stderr += text.toString()));
    this.ended = once(this.child, 'close').then(([code, signal]) => ({
      code: code as number | null,
      signal: signal as NodeJS.Signals | null,
      ...output,
    }));
  }

  /** The log so far. */
  get lines(): readonly LogLine[] {
    const complete = this.output.stdout.split('\n').slice(0, -1);
    return complete.map((line) => JSON.parse(line) as LogLine);
  }

  /** Sends a signal and waits for the end. */
  kill(signal: NodeJS.Signals): Promise<Ended> {
    this.child.kill(signal);
    return this.ended;
  }

  /** Waits until it answers 200 at `url`; fails if the process ends first. */
  async answers(url: string): Promise<void> {
    for (;;) {
      const response = await fetch(url).catch(() => null);
      await response?.body?.cancel();
      if (response?.status === 200) return;
      await this.wait(`it answered ${url}`);
    }
  }

  /** Waits until it accepts connections at `port`; fails if the process ends first. */
  async listens(port: number): Promise<void> {
    while (!(await takesConnections(port))) await this.wait(`it listened on port ${port}`);
  }

  /** Waits for a line on stdout that matches; fails if the process ends first. */
  async says(line: RegExp): Promise<RegExpExecArray> {
    for (;;) {
      const match = line.exec(this.output.stdout);
      if (match) return match;
      await this.wait(`it wrote ${line.source}`);
    }
  }

  /** Processor time that the process has used, in seconds. */
  cpuSeconds(): number {
    const [, fields] = readFileSync(`/proc/${this.child.pid}/stat`, 'utf8').split(') ');
    const [userTicks, systemTicks] = fields!.split(' ').slice(11, 13).map(Number);
    return (userTicks! + systemTicks!) / TICKS_PER_SECOND;
  }

  private async wait(what: string): Promise<void> {
    if (this.child.exitCode !== null || this.child.signalCode !== null) {
      throw new Error(`The process ended before ${what}: ${this.output.stdout}${this.output.stderr}`);
    }
    await wait(20);
  }
}
