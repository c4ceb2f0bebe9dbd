import type { ChildProcess } from 'node:child_process';
import { spawn } from 'node:child_process';
import { closeSync, createWriteStream, mkdirSync, openSync } from 'node:fs';
import { join } from 'node:path';
import { appMain, END_WITH_PARENT, type AppName } from '@roundhouse/local-postgres';
import { everythingStops } from './launcher.error.js';

export interface AppProcess {
  readonly pid: number;
  /**
   * Settles when the app has ended. If it ended by itself, although it had to keep running or with an error, rejects
   * with a `LauncherError`.
   */
  readonly ended: Promise<void>;
  /** Asks the app to stop, and kills it if that takes too long. */
  stop(): Promise<void>;
}

const STOP_TIMEOUT_MS = 20_000;

/** Returns the last sentence of an app: the last line on its stderr or, after a crash, the line above the stack. */
const lastSentence = (errors: string): string | null => {
  const lines = errors.trim().split('\n');
  const last = lines.at(-1) ?? '';
  const isStack = last.startsWith('Node.js v') || /^\s+at |^\s*[{}]/.test(last);
  if (isStack) return lines.findLast((line) => /^\w*Error\b/.test(line)) ?? null;
  return last === '' ? null : last;
};

/** Writes the app's stderr to its log and keeps the end of it for the error message. */
const collectErrors = (child: ChildProcess, logFile: string): (() => string | null) => {
  let tail = '';
  const log = createWriteStream(logFile, { flags: 'a' });
  // A full disk must not end the launcher.
  log.on('error', () => undefined);
  child.stderr?.on('data', (chunk: Buffer) => {
    log.write(chunk);
    tail = (tail + chunk.toString()).slice(-4_000);
  });
  return () => lastSentence(tail);
};

/** `run` must keep running; `migrate` must end with 0. */
export type AppCommand = 'run' | 'migrate';

export interface AppOptions {
  readonly app: AppName;
  readonly command: AppCommand;
  readonly environment: NodeJS.ProcessEnv;
  readonly logFolder: string;
}

/** Starts an app with its own log, outside the terminal's process group, so that only the launcher receives Ctrl-C. */
export const startApp = ({ app, command, environment, logFolder }: AppOptions): AppProcess => {
  const name = command === 'migrate' ? 'migration' : app;
  mkdirSync(logFolder, { recursive: true });
  const logFile = join(logFolder, `${name}.log`);
  const log = openSync(logFile, 'w');
  const child = spawn(process.execPath, ['--import', END_WITH_PARENT, appMain(app), command], {
    env: environment,
    detached: true,
    stdio: ['ignore', log, 'pipe', 'ipc'],
  });
  closeSync(log);
  const lastError = collectErrors(child, logFile);
  let isStopping = false;
  const ended = new Promise<void>((resolve) => child.once('close', () => resolve()));
  const success = new Promise<void>((resolve, reject) => {
    child.once('error', (cause) =>
      reject(everythingStops(`the ${name} could not be started (${cause.message}).`, cause)),
    );
    child.once('close', (code, signal) => {
      if (isStopping || (code === 0 && command === 'migrate')) return resolve();
      const end = `the ${name} ended by itself (${signal ?? `code ${code}`})`;
      // The last line of a killed app may be old and does not explain its end.
      const sentence = signal === null ? lastError() : null;
      reject(
        everythingStops(
          sentence === null
            ? `${end}: read ${logFile}, then start again.`
            : `${end}, see ${logFile}: ${sentence}`,
        ),
      );
    });
  });
  // Callers race this promise against what they wait for. If nobody waits at the moment, its rejection must not end
  // the launcher.
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
