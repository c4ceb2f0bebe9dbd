import { Agent, get } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';

export interface LoadCount {
  readonly requests: number;
  /** The reason of each failure: a broken connection, a truncated or late answer, or a status outside 2xx. */
  readonly failures: readonly string[];
}

/** Clients that each send the next request when the last one is answered, over a kept connection. */
export const CLIENTS = 16;

const PAUSE_MS = 20;
const TIMEOUT_MS = 20_000;

const PATHS = [
  '/api/blocks/getStatus',
  '/api/blocks?limit=20',
  '/api/delegates?limit=51',
  '/api/loader/status',
  '/api/delegates/getNextForgers',
];

/** Unlike most clients, it never retries. Returns the reason of a failure, or null. */
const ask = (url: string, agent: Agent): Promise<string | null> =>
  new Promise((resolve) => {
    const request = get(url, { agent, timeout: TIMEOUT_MS }, (response) => {
      let text = '';
      response.setEncoding('utf8').on('data', (chunk: string) => (text += chunk));
      response.on('error', ({ message }) => resolve(`cut off: ${message}`));
      response.on('end', () => {
        const isWhole = response.complete && text.endsWith('}');
        resolve(
          response.statusCode === 200 && isWhole ? null : `${response.statusCode}: ${text.slice(0, 200)}`,
        );
      });
    });
    request.on('timeout', () => request.destroy(new Error('timed out')));
    request.on('error', ({ message }) => resolve(message));
  });

/** Sends requests until `work` has ended, and counts them. */
export const underLoad = async (url: string, work: () => Promise<void>): Promise<LoadCount> => {
  const agent = new Agent({ keepAlive: true, maxSockets: CLIENTS });
  const failures: string[] = [];
  let requests = 0;
  let isOver = false;
  const client = async (): Promise<void> => {
    while (!isOver) {
      const failure = await ask(url + PATHS[requests % PATHS.length]!, agent);
      requests += 1;
      if (failure !== null) failures.push(failure);
      await delay(PAUSE_MS);
    }
  };
  const clients = Array.from({ length: CLIENTS }, client);
  try {
    await work();
  } finally {
    isOver = true;
    await Promise.all(clients);
    agent.destroy();
  }
  return { requests, failures };
};
