import { closeSync, createWriteStream, mkdirSync, openSync } from 'node:fs';
import { join } from 'node:path';
import { AppProcess, type AppName } from '@roundhouse/local-postgres';
import { everythingStops } from './launcher.error.js';

export interface StartedApp {
  readonly pid: number;
  /**
   * Settles when the app has ended. If it ended by itself, although it had to keep running or with an error, rejects
   * with a `LauncherError`.
   */
  readonly ended: Promise<void>;
  /** What it has written to its stderr, such as a misspelt variable; the rest is in its log. */
  readonly said: () => string;
  /** Asks the app to stop, and kills it if that takes too long. */
  stop(): Promise<unknown>;
}

/** Returns the last sentence of an app: the last line on its stderr or, after a crash, the line above the stack. */
const lastSentence = (errors: string): string | null => {
  const lines = errors.trim().split('\n');
  const last = lines.at(-1) ?? '';
  const isStack = last.startsWith('Node.js v') || /^\s+at |^\s*[{}]/.test(last);
  if (isStack) return lines.findLast((line) => /^\w*Error\b/.test(line)) ?? null;
  return last === '' ? null : last;
};

/** `run` must keep running; `migrate` must end with 0. */
export type AppCommand = 'run' | 'migrate';

export interface AppOptions {
  readonly app: AppName;
  readonly command: AppCommand;
  readonly environment: NodeJS.ProcessEnv;
  readonly logFolder: string;
}

/** Starts an app with its own log. */
export const startApp = ({ app, command, environment, logFolder }: AppOptions): StartedApp => {
  const name = command === 'migrate' ? 'migration' : app;
  mkdirSync(logFolder, { recursive: true });
  const logFile = join(logFolder, `${name}.log`);
  closeSync(openSync(logFile, 'w'));
  // The app and this process both append, so that neither writes over the lines of the other.
  const log = openSync(logFile, 'a');
  const errors = createWriteStream(logFile, { flags: 'a' });
  // A full disk must not end the launcher.
  errors.on('error', () => undefined);
  // The end of the app's stderr, for the error message.
  let tail = '';
  const hear = (text: string): void => {
    errors.write(text);
    tail = (tail + text).slice(-4_000);
  };
  const program = new AppProcess(app, [command], environment, { stdout: log, hear });
  closeSync(log);
  let isStopping = false;
  const ended = program.ended.then(({ code, signal }) => {
    if (isStopping || (code === 0 && command === 'migrate')) return;
    const end = `the ${name} ended by itself (${signal ?? `code ${code}`})`;
    // The last line of a killed app may be old and does not explain its end.
    const sentence = signal === null ? lastSentence(tail) : null;
    throw everythingStops(
      sentence === null
        ? `${end}: read ${logFile}, then start again.`
        : `${end}, see ${logFile}: ${sentence}`,
    );
  });
  // Callers race this promise against what they wait for. If nobody waits at the moment, its rejection must not end
  // the launcher.
  ended.catch(() => undefined);
  const stop = (): Promise<unknown> => {
    isStopping = true;
    return program.stop();
  };
  return { pid: program.pid, ended, said: () => tail, stop };
};
