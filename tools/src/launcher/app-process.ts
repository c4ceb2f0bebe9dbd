import type { ChildProcess } from 'node:child_process';
import { spawn } from 'node:child_process';
import { closeSync, createWriteStream, mkdirSync, openSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { LauncherError } from './launcher.error.js';

export type AppName = 'devnet' | 'indexer' | 'api';

export interface AppProcess {
  readonly name: AppName;
  readonly pid: number;
  /** Settles only when the app ends without being asked to: rejects with `LauncherError`. */
  readonly failure: Promise<never>;
  /** Asks it to stop, and ends it where that takes too long. */
  stop(): Promise<void>;
}

const STOP_TIMEOUT_MS = 20_000;
const workspace = (relative: string): string =>
  fileURLToPath(new URL(`../../../${relative}`, import.meta.url));

const lastLine = (text: string): string => text.trim().split('\n').at(-1) ?? '';

/** Keeps what the app says on stderr, for its log and for the sentence that it may end with. */
const collectErrors = (child: ChildProcess, logFile: string): (() => string) => {
  let tail = '';
  const log = createWriteStream(logFile, { flags: 'a' });
  child.stderr?.on('data', (chunk: Buffer) => {
    log.write(chunk);
    tail = (tail + chunk.toString()).slice(-4_000);
  });
  return () => lastLine(tail);
};

/** Starts an app with its log in `logFolder`, outside of the terminal's process group: only the launcher hears Ctrl-C. */
export const startApp = (name: AppName, environment: NodeJS.ProcessEnv, logFolder: string): AppProcess => {
  mkdirSync(logFolder, { recursive: true });
  const logFile = join(logFolder, `${name}.log`);
  const log = openSync(logFile, 'w');
  const child = spawn(
    process.execPath,
    [
      '--import',
      new URL('./end-with-parent.js', import.meta.url).href,
      workspace(`apps/${name}/dist/main.js`),
    ],
    { env: environment, detached: true, stdio: ['ignore', log, 'pipe', 'ipc'] },
  );
  closeSync(log);
  const lastError = collectErrors(child, logFile);
  let isStopping = false;
  const ended = new Promise<void>((resolve) => child.once('close', () => resolve()));
  const failure = new Promise<never>((_, reject) => {
    child.once('error', (cause) => reject(new LauncherError(`The ${name} could not be started.`, { cause })));
    child.once('close', (code, signal) => {
      if (isStopping) return;
      const sentence = lastError() || `The ${name} ended (${signal ?? code}): its log is ${logFile}.`;
      reject(new LauncherError(sentence));
    });
  });
  // Whoever waits for something of the app races it against this; nobody may be waiting at the moment.
  failure.catch(() => undefined);
  const stop = async (): Promise<void> => {
    isStopping = true;
    if (child.exitCode !== null || child.signalCode !== null) return;
    child.kill('SIGTERM');
    const timer = setTimeout(() => child.kill('SIGKILL'), STOP_TIMEOUT_MS);
    await ended;
    clearTimeout(timer);
  };
  return { name, pid: child.pid ?? 0, failure, stop };
};
