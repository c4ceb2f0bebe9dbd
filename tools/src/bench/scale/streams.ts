import autocannon from 'autocannon';
import { withClient } from '@roundhouse/local-postgres';
import { answersPerSecond, CONNECTIONS, fire } from '../api/load.js';
import type { Bench } from '../bench.config.js';
import { rounded } from '../statistics.js';
import type { Api } from '../with-program.js';

/** So that each connection reads several lists. */
const TIMES_LONGER = 10;
/** Beside the lists, so few that they are no load themselves. */
const HEIGHTS_PER_SECOND = 150;

const SELECT_MOST_VOTED = `
SELECT encode(vote, 'hex') AS key, count(*)::integer AS voters FROM accounts WHERE vote IS NOT NULL
GROUP BY vote ORDER BY voters DESC LIMIT 1`;

/** Measures `getHeight` while 32 connections read the longest list of voters, one after the other. */
export const heightWhileStreaming = async ({ url, program }: Api, databaseUrl: string, bench: Bench) => {
  const { rows } = await withClient(databaseUrl, (client) =>
    client.query<{ key: string; voters: number }>(SELECT_MOST_VOTED),
  );
  const { key, voters } = rows[0]!;
  const seconds = bench.seconds * TIMES_LONGER;
  const [lists, heights] = await Promise.all([
    // In a thread of its own: its work must not delay the clock of this one.
    autocannon({
      url: `${url}/api/delegates/voters?publicKey=${key}`,
      connections: CONNECTIONS,
      duration: seconds,
      workers: 1,
      // Most of them wait for a place.
      timeout: seconds * TIMES_LONGER,
    }),
    fire(url, () => '/api/blocks/getHeight', { seconds, rate: HEIGHTS_PER_SECOND }),
  ]);
  return {
    voters,
    listsPerSecond: rounded(answersPerSecond(lists), 1),
    getHeightP99Ms: rounded(heights.latency(0.99), 1),
    rssMiB: program.peakMiB,
  };
};
