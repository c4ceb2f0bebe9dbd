import pg from 'pg';
import type { BenchOptions } from '../bench.config.js';
import type { BenchServer } from '../bench-server.js';
import { shortChain } from '../chain-files.js';
import type { CrowdResults } from '../results.js';
import { rounded } from '../statistics.js';
import { NO_CACHE, startApi } from './api-process.js';
import { fire } from './load.js';
import { withIndex } from './with-index.js';

const DELEGATES = 5_000;
const VOTERS = 20_000;

const KEY = `'\\x02'::bytea || sha256('the crowd’s')`;
const hash = (kind: string): string => `sha256(('${kind}' || i)::bytea)`;
const hex = (kind: string): string => `encode(${hash(kind)}, 'hex')`;

// These rows come from no chain, but are read in the same way.
const ADD_DELEGATES = `
INSERT INTO delegates (number, public_key, address, username, weight, is_resigned, produced_blocks, missed_blocks, forged_fees,
  forged_rewards, registered_height, registered_sequence)
SELECT 1000000 + i, CASE i WHEN 1 THEN ${KEY} ELSE '\\x02'::bytea || ${hash('delegate')} END, 'D' || left(${hex('delegate')}, 33), 'crowd_' || left(${hex('name')}, 8) || i,
  i * 7919::bigint, false, i, 0, i, i, 2, i
FROM generate_series(1, ${DELEGATES}) i`;
const ADD_VOTERS = `
INSERT INTO accounts (number, address, public_key, balance, locked, nonce, vote)
SELECT 1000000 + i, 'A' || left(${hex('voter')}, 33), '\\x03'::bytea || ${hash('voter')}, (i * 15485863::bigint) % 1000000007, 0, 0, ${KEY}
FROM generate_series(1, ${VOTERS}) i`;

const addCrowd = async (databaseUrl: string): Promise<string> => {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    for (const statement of [ADD_DELEGATES, ADD_VOTERS, 'VACUUM ANALYZE delegates, accounts'])
      await client.query(statement);
    const { rows } = await client.query<{ key: string }>(`SELECT encode(${KEY}, 'hex') AS key`);
    return rows[0]!.key;
  } finally {
    await client.end();
  }
};

/** Three characters of a name, as typed in a search; different each time. */
const searched = (n: number): string => (n % 4_096).toString(16).padStart(3, '0');

/**
 * Measures cold what grows with the number of voters and delegates: all voters of one delegate, and a search over all
 * delegates.
 */
export const crowdLatencies = async (server: BenchServer, options: BenchOptions): Promise<CrowdResults> => {
  const { cacheFolder, longBlocks, repeats, seconds } = options;
  const chain = await shortChain(cacheFolder, longBlocks);
  return withIndex(server, chain, async (databaseUrl) => {
    const key = await addCrowd(databaseUrl);
    const api = await startApi(databaseUrl, NO_CACHE);
    // One request after the other, from a client that uses little time itself.
    const time = async (pathOf: (n: number) => string): Promise<number> =>
      rounded(1_000 / (await fire(api.url, pathOf, seconds * repeats, 1)).requestsPerSecond, 2);
    try {
      return {
        votersMs: await time(() => `/api/delegates/voters?publicKey=${key}`),
        searchMs: await time((n) => `/api/delegates/search?q=${searched(n)}`),
        searchOfAllMs: await time((n) => `/api/delegates/search?q=crowd&offset=${n % 1_000}`),
      };
    } finally {
      await api.stop();
    }
  });
};
