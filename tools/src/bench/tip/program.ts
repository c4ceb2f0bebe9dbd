import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { appMain } from '../app-main.js';

type LogLine = Readonly<Record<string, unknown>> & { readonly msg?: string };

export interface Program {
  stop(): Promise<void>;
}

interface ProgramOptions {
  readonly app: Parameters<typeof appMain>[0];
  readonly environment: NodeJS.ProcessEnv;
  /** The log text that shows that it works. */
  readonly ready: string;
  readonly onLine?: (line: LogLine) => void;
}

/** Starts the `run` command of an app as it is deployed. Resolves when it works. */
export const startProgram = async ({ app, environment, ready, onLine }: ProgramOptions): Promise<Program> => {
  const child = spawn(process.execPath, [appMain(app), 'run'], {
    env: { PATH: process.env['PATH'], ...environment },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const ended = once(child, 'close');
  await new Promise<void>((resolve, reject) => {
    createInterface({ input: child.stdout }).on('line', (text) => {
      const line = JSON.parse(text) as LogLine;
      if (line.msg?.includes(ready)) resolve();
      onLine?.(line);
    });
    void ended.then(() => reject(new Error(`The ${app} ended before it worked.`)));
  });
  return {
    stop: async () => {
      child.kill('SIGTERM');
      await ended;
    },
  };
};
