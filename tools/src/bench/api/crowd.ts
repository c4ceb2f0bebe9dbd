import { withClient } from '@roundhouse/local-postgres';
import type { Bench } from '../bench.config.js';
import type { ChainFile } from '../chain-files.js';
import { withIndex } from '../index/indexer-run.js';
import { rounded } from '../statistics.js';
import { NO_CACHE, withApi } from '../with-program.js';
import { fire } from './load.js';

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

const addCrowd = (databaseUrl: string): Promise<string> =>
  withClient(databaseUrl, async (client) => {
    for (const statement of [ADD_DELEGATES, ADD_VOTERS, 'VACUUM ANALYZE delegates, accounts'])
      await client.query(statement);
    const { rows } = await client.query<{ key: string }>(`SELECT encode(${KEY}, 'hex') AS key`);
    return rows[0]!.key;
  });

/** Three characters of a name, as typed in a search; different each time. */
const searched = (n: number): string => (n % 4_096).toString(16).padStart(3, '0');

/**
 * Measures cold what grows with the number of voters and delegates, as means: all voters of one delegate, and a search
 * over all delegates that finds few or all.
 */
export const crowdLatencies = (bench: Bench, chain: ChainFile) =>
  withIndex(bench, chain, async (databaseUrl) => {
    const key = await addCrowd(databaseUrl);
    return withApi(databaseUrl, NO_CACHE, async ({ url }) => {
      const seconds = bench.seconds * bench.repeats;
      const mean = async (pathOf: (n: number) => string): Promise<number> =>
        rounded(1_000 / (await fire(url, pathOf, { seconds })).perSecond, 2);
      return {
        votersMs: await mean(() => `/api/delegates/voters?publicKey=${key}`),
        searchMs: await mean((n) => `/api/delegates/search?q=${searched(n)}`),
        searchOfAllMs: await mean((n) => `/api/delegates/search?q=crowd&offset=${n % 1_000}`),
      };
    });
  });
