import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as wait } from 'node:timers/promises';
import { createInterface } from 'node:readline';
import { appMain } from '../app-main.js';
import { peakResidentMiB } from '../resident-memory.js';

export interface ApiProcess {
  readonly url: string;
  /** The time from the start of the process to its first answer. */
  readonly startMs: number;
  peakRssMiB(): number;
  stop(): Promise<void>;
}

/** The cache size of a deployed pod. */
export const CACHE_MAX_BYTES = 64 * 1024 * 1024;
/** Caches nothing, so every request is cold. */
export const NO_CACHE = 1;

const ANSWERS = 'the api answers';
const ASK_AGAIN_MS = 5;

const firstAnswer = async (url: string): Promise<void> => {
  for (;;) {
    const response = await fetch(`${url}/api/blocks/getHeight`);
    await response.arrayBuffer();
    if (response.ok) return;
    await wait(ASK_AGAIN_MS);
  }
};

/** Starts the api as it is deployed. */
export const startApi = async (databaseUrl: string, cacheMaxBytes: number): Promise<ApiProcess> => {
  const spawned = performance.now();
  const child = spawn(process.execPath, [appMain('api')], {
    env: {
      PATH: process.env['PATH'],
      DATABASE_URL: databaseUrl,
      PORT: '0',
      OPS_PORT: '0',
      CACHE_MAX_BYTES: String(cacheMaxBytes),
      LOG_LEVEL: 'info',
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const ended = once(child, 'close');
  const url = await new Promise<string>((resolve, reject) => {
    createInterface({ input: child.stdout }).on('line', (line) => {
      if (line.includes(ANSWERS)) resolve((JSON.parse(line) as { url: string }).url);
    });
    void ended.then(() => reject(new Error('The api ended before it answered.')));
  });
  await firstAnswer(url);
  return {
    url,
    startMs: performance.now() - spawned,
    peakRssMiB: () => peakResidentMiB(child.pid!),
    stop: async () => {
      child.kill('SIGTERM');
      await ended;
    },
  };
};
