import type { ChildProcess } from 'node:child_process';
import { spawn } from 'node:child_process';
import { closeSync, createWriteStream, mkdirSync, openSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { LauncherError } from './launcher.error.js';

export type AppName = 'devnet' | 'indexer' | 'api';

export interface AppProcess {
  readonly pid: number;
  /** Settles when the app has ended: rejects with `LauncherError`, its own sentence, when it ended by a failure. */
  readonly ended: Promise<void>;
  /** Asks it to stop, and ends it where that takes too long. */
  stop(): Promise<void>;
}

const STOP_TIMEOUT_MS = 20_000;
const workspace = (relative: string): string =>
  fileURLToPath(new URL(`../../../${relative}`, import.meta.url));

/** The sentence that an app ends with is the last line on its stderr, or, after a crash, the one above the stack. */
const lastSentence = (errors: string): string | null => {
  const lines = errors.trim().split('\n');
  const last = lines.at(-1) ?? '';
  const isStack = last.startsWith('Node.js v') || /^\s+at |^\s*[{}]/.test(last);
  if (isStack) return lines.findLast((line) => /^\w*Error\b/.test(line)) ?? null;
  return last === '' ? null : last;
};

/** Keeps what the app says on stderr, for its log and for the sentence that it may end with. */
const collectErrors = (child: ChildProcess, logFile: string): (() => string | null) => {
  let tail = '';
  const log = createWriteStream(logFile, { flags: 'a' });
  child.stderr?.on('data', (chunk: Buffer) => {
    log.write(chunk);
    tail = (tail + chunk.toString()).slice(-4_000);
  });
  return () => lastSentence(tail);
};

export interface AppOptions {
  readonly name: AppName;
  readonly command?: string;
  readonly environment: NodeJS.ProcessEnv;
  readonly logFolder: string;
}

/** Starts an app with its own log, outside of the terminal's process group: only the launcher hears Ctrl-C. */
export const startApp = ({ name, command = 'run', environment, logFolder }: AppOptions): AppProcess => {
  mkdirSync(logFolder, { recursive: true });
  const logFile = join(logFolder, `${name}.log`);
  const log = openSync(logFile, 'w');
  const child = spawn(
    process.execPath,
    [
      '--import',
      new URL('./end-with-parent.js', import.meta.url).href,
      workspace(`apps/${name}/dist/main.js`),
      command,
    ],
    { env: environment, detached: true, stdio: ['ignore', log, 'pipe', 'ipc'] },
  );
  closeSync(log);
  const lastError = collectErrors(child, logFile);
  let isStopping = false;
  const ended = new Promise<void>((resolve) => child.once('close', () => resolve()));
  const success = new Promise<void>((resolve, reject) => {
    child.once('error', (cause) => reject(new LauncherError(`The ${name} could not be started.`, { cause })));
    child.once('close', (code, signal) => {
      if (isStopping || code === 0) return resolve();
      // What a killed app said last, maybe long ago, is not why it ended.
      const sentence = signal === null ? lastError() : null;
      reject(
        new LauncherError(
          sentence ?? `The ${name} ended by itself (${signal ?? `code ${code}`}): read ${logFile}.`,
        ),
      );
    });
  });
  // Whoever waits for something of the app races it against this; nobody may be waiting at the moment.
  success.catch(() => undefined);
  const stop = async (): Promise<void> => {
    isStopping = true;
    if (child.exitCode !== null || child.signalCode !== null) return;
    child.kill('SIGTERM');
    const timer = setTimeout(() => child.kill('SIGKILL'), STOP_TIMEOUT_MS);
    await ended;
    clearTimeout(timer);
  };
  return { pid: child.pid ?? 0, ended: success, stop };
};
