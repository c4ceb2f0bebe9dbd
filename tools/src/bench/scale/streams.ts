import autocannon from 'autocannon';
import pg from 'pg';
import type { ApiProcess } from '../api/api-process.js';
import { CONNECTIONS } from '../api/load.js';
import type { BenchOptions } from '../bench.config.js';
import type { StreamResults } from '../results.js';
import { quantile, rounded } from '../statistics.js';

/** So that each connection reads several lists. */
const TIMES_LONGER = 10;
const PAUSE_MS = 5;

const SELECT_MOST_VOTED = `
SELECT encode(vote, 'hex') AS key, count(*)::integer AS voters FROM accounts WHERE vote IS NOT NULL
GROUP BY vote ORDER BY voters DESC LIMIT 1`;

const mostVoted = async (databaseUrl: string): Promise<{ key: string; voters: number }> => {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    const { rows } = await client.query<{ key: string; voters: number }>(SELECT_MOST_VOTED);
    return rows[0]!;
  } finally {
    await client.end();
  }
};

/** Reads one list after the other on each connection. A thread of its own: its work must not delay the clock of this one. */
const readLists = async (url: string, seconds: number): Promise<number> => {
  const result = await autocannon({ url, connections: CONNECTIONS, duration: seconds, workers: 1 });
  if (result.errors > 0 || result.non2xx > 0) {
    throw new Error(`${url}: ${result.errors} errors, ${result.non2xx} answers outside 2xx.`);
  }
  return result['2xx'] / result.duration;
};

/** Sends one request after the other until `isOver`. Returns the latencies in ms; that of a refusal is infinite. */
const latenciesUntil = async (url: string, isOver: () => boolean): Promise<number[]> => {
  const latencies: number[] = [];
  while (!isOver()) {
    const started = performance.now();
    const response = await fetch(url);
    await response.arrayBuffer();
    latencies.push(response.ok ? performance.now() - started : Infinity);
    await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
  }
  return latencies;
};

/** Measures `getHeight` while 32 connections read the longest list of voters. */
export const heightWhileStreaming = async (
  api: ApiProcess,
  databaseUrl: string,
  { seconds }: BenchOptions,
): Promise<StreamResults> => {
  const { key, voters } = await mostVoted(databaseUrl);
  let isOver = false;
  const lists = readLists(`${api.url}/api/delegates/voters?publicKey=${key}`, seconds * TIMES_LONGER).finally(
    () => (isOver = true),
  );
  const [listsPerSecond, latencies] = await Promise.all([
    lists,
    latenciesUntil(`${api.url}/api/blocks/getHeight`, () => isOver),
  ]);
  return {
    voters,
    listsPerSecond: rounded(listsPerSecond, 1),
    getHeightP99Ms: rounded(quantile(latencies, 0.99), 1),
    rssMiB: Math.round(api.peakRssMiB()),
  };
};
