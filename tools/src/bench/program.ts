import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { setTimeout as wait } from 'node:timers/promises';
import { appMain, type AppName } from '@roundhouse/local-postgres';

export type LogLine = Readonly<Record<string, unknown>>;

export interface Program {
  readonly pid: number;
  /** Waits until `url` answers 200 and returns the ms since the process started. Rejects when the process ends before. */
  ready(url: string): Promise<number>;
  /** Resolves when the process has ended, however it did. */
  readonly ended: Promise<unknown>;
  stop(): Promise<void>;
}

const ASK_AGAIN_MS = 5;

const isOk = async (url: string): Promise<boolean> => {
  const response = await fetch(url).catch(() => null);
  await response?.arrayBuffer();
  return response?.ok ?? false;
};

/** Starts the `run` command of an app, as it is deployed. */
export const startProgram = (
  app: AppName,
  environment: NodeJS.ProcessEnv,
  onLine: (line: LogLine) => void = () => undefined,
): Program => {
  const spawned = performance.now();
  const child = spawn(process.execPath, [appMain(app), 'run'], {
    env: { PATH: process.env['PATH'], ...environment },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const ended = once(child, 'close');
  createInterface({ input: child.stdout }).on('line', (text) => onLine(JSON.parse(text) as LogLine));
  return {
    pid: child.pid!,
    ended,
    ready: async (url) => {
      while (!(await isOk(url))) {
        const hasEnded = child.exitCode !== null || child.signalCode !== null;
        if (hasEnded) throw new Error(`The ${app} ended before it was ready.`);
        await wait(ASK_AGAIN_MS);
      }
      return performance.now() - spawned;
    },
    stop: async () => {
      child.kill('SIGTERM');
      await ended;
    },
  };
};
