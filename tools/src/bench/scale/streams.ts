import pg from 'pg';
import type { ApiProcess } from '../api/api-process.js';
import { fire } from '../api/load.js';
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
  const path = `/api/delegates/voters?publicKey=${key}`;
  let isOver = false;
  const load = fire(api.url, () => path, seconds * TIMES_LONGER).finally(() => (isOver = true));
  const [{ requestsPerSecond }, latencies] = await Promise.all([
    load,
    latenciesUntil(`${api.url}/api/blocks/getHeight`, () => isOver),
  ]);
  return {
    voters,
    listsPerSecond: rounded(requestsPerSecond, 1),
    getHeightP99Ms: rounded(quantile(latencies, 0.99), 1),
    rssMiB: Math.round(api.peakRssMiB()),
  };
};
