import { once } from 'node:events';
import autocannon, { type Result } from 'autocannon';
import { quantile } from '../statistics.js';

export interface Load {
  readonly perSecond: number;
  /** How many answers came. */
  readonly count: number;
  /** The latency in ms that this share (0 to 1) of the answers did not exceed. autocannon's own are whole numbers. */
  readonly latency: (share: number) => number;
}

interface LoadOptions {
  /** Duration. */
  readonly seconds: number;
  /** (Default: 1) */
  readonly connections?: number;
  /** Requests per second on each connection. (Default: as fast as they are answered) */
  readonly rate?: number;
}

export const CONNECTIONS = 32;

/** Sends requests, of which `pathOf` returns the path of the n-th. Throws if one fails. */
export const fire = async (
  url: string,
  pathOf: (n: number) => string,
  { seconds, connections = 1, rate }: LoadOptions,
): Promise<Load> => {
  let n = 0;
  const latencies: number[] = [];
  const load = autocannon(
    {
      url,
      connections,
      duration: seconds,
      connectionRate: rate,
      requests: [{ setupRequest: (request) => ({ ...request, path: pathOf((n += 1)) }) }],
    },
    () => undefined,
  );
  load.on('response', (_client, _status, _bytes, ms) => latencies.push(ms));
  const [result] = (await once(load, 'done')) as [Result];
  return {
    perSecond: answersPerSecond(result),
    count: latencies.length,
    latency: (share) => quantile(latencies, share),
  };
};

/** Throws if a request failed. */
export const answersPerSecond = ({ url, errors, non2xx, duration, ...counts }: Result): number => {
  if (errors > 0 || non2xx > 0) throw new Error(`${url}: ${errors} errors, ${non2xx} answers outside 2xx.`);
  return counts['2xx'] / duration;
};
