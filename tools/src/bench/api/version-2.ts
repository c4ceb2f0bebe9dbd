import { cpuSecondsOf, withClient } from '@roundhouse/local-postgres';
import type { Bench } from '../bench.config.js';
import { median, rounded } from '../statistics.js';
import { CACHE_MAX_BYTES, NO_CACHE, withApi, type Api } from '../with-program.js';
import { fire } from './load.js';

/** Those with which a real node was measured. */
const CONNECTIONS = 8;
/** Beside them, so few that they are no load themselves. */
const HEIGHTS_PER_SECOND = 150;
const PAGE = 25;
const DELEGATES = 51;
/** Different pages, so that no two requests that are made at once share an answer. */
const PAGES = 40;

interface Known {
  readonly blocks: number;
  readonly transactions: number;
  readonly delegates: number;
  /** The addresses of the wallets that sent most, the first one first. */
  readonly addresses: readonly string[];
  /** How many transactions each of them sent. */
  readonly sent: readonly number[];
  /** The delegate with most votes. */
  readonly delegate: string;
  readonly voters: number;
}

const SELECT_KNOWN = `
SELECT head.height AS blocks, (SELECT sum(count)::integer FROM daily_fees) AS transactions,
  (SELECT count(*)::integer FROM delegates) AS delegates, most.*, best.*
FROM head,
  (SELECT array_agg(address) AS addresses, array_agg(nonce) AS sent
   FROM (SELECT address, nonce FROM accounts ORDER BY nonce DESC LIMIT ${PAGES}) a) most,
  (SELECT d.username AS delegate, (SELECT count(*)::integer FROM accounts WHERE vote = d.public_key) AS voters
   FROM delegates d ORDER BY d.weight DESC LIMIT 1) best`;

const readKnown = (databaseUrl: string): Promise<Known> =>
  withClient(databaseUrl, async (client) => (await client.query<Known>(SELECT_KNOWN)).rows[0]!);

type PathOf = (n: number, known: Known) => string;

const address: PathOf = (n, { addresses }) => addresses[n % addresses.length]!;

/** An explorer's: the mix with which a real node was measured. */
const MIX: readonly PathOf[] = [
  (n) => `/api/v2/blocks?limit=${PAGE}&page=${1 + (n % PAGES)}`,
  (n) => `/api/v2/transactions?limit=${PAGE}&page=${1 + (n % PAGES)}`,
  (_, { addresses }) => `/api/v2/wallets/${addresses[0]!}`,
  (n, { addresses }) => `/api/v2/wallets/${addresses[0]!}/transactions?limit=${PAGE}&page=${1 + (n % PAGES)}`,
  (n, known) => `/api/v2/wallets/${address(n, known)}/transactions?limit=${PAGE}`,
  (n) => `/api/v2/delegates?limit=${DELEGATES}&offset=${n % PAGES}`,
  () => '/api/v2/blockchain',
  () => '/api/v2/node/status',
];

/** The n-th request of the mix. Hot ones ask the same again and again. */
const mixed =
  (known: Known, isHot: boolean) =>
  (n: number): string =>
    MIX[n % MIX.length]!(isHot ? 0 : Math.floor(n / MIX.length), known);

const MOST_PER_PAGE = 100;

/** The lists of an explorer, by their number of rows on a page: the first pages, and the last that the limits of a node allow. */
const pagesOfExplorer = (ofDelegates: number, limit: number): Readonly<Record<string, PathOf>> => {
  const paged = (rows: number): string => `limit=${limit}&page=${Math.max(1, Math.ceil(rows / limit))}`;
  const sent: PathOf = (n, known) => `/api/v2/wallets/${address(n, known)}/transactions/sent`;
  return {
    blocks: () => `/api/v2/blocks?limit=${limit}`,
    lastBlocks: (_, { blocks }) => `/api/v2/blocks?${paged(blocks)}`,
    transactions: () => `/api/v2/transactions?limit=${limit}`,
    lastTransactions: (_, { transactions }) => `/api/v2/transactions?${paged(transactions)}`,
    wallet: (n, known) => `/api/v2/wallets/${address(n, known)}`,
    walletTransactions: (n, known) => `/api/v2/wallets/${address(n, known)}/transactions?limit=${limit}`,
    lastWalletTransactions: (n, known) => `${sent(n, known)}?${paged(known.sent[n % known.sent.length]!)}`,
    delegates: () => `/api/v2/delegates?limit=${ofDelegates}`,
    lastDelegates: (_, { delegates }) =>
      `/api/v2/delegates?limit=${ofDelegates}&page=${Math.ceil(delegates / ofDelegates)}`,
    voters: (_, { delegate }) => `/api/v2/delegates/${delegate}/voters?limit=${limit}`,
    lastVoters: (_, { delegate, voters }) => `/api/v2/delegates/${delegate}/voters?${paged(voters)}`,
  };
};

/** Cold latencies at the 95th percentile, in ms, one request after the other. */
const slowestOf = async (bench: Bench, databaseUrl: string, pages: Readonly<Record<string, PathOf>>) => {
  const known = await readKnown(databaseUrl);
  return withApi(databaseUrl, NO_CACHE, async ({ url }) => {
    const p95: Record<string, number> = {};
    for (const [name, path] of Object.entries(pages)) {
      // A process that has run for a while has compiled its code.
      await fire(url, (n) => path(n, known), { seconds: bench.seconds * 3, connections: CONNECTIONS });
      const { latency } = await fire(url, (n) => path(n, known), bench);
      p95[name] = rounded(latency(0.95), 1);
    }
    return p95;
  });
};

/** The pages of the explorer with whose mix a real node was measured, and the largest ones that a node gives. */
export const explorerPages = async (bench: Bench, databaseUrl: string) => ({
  pages: await slowestOf(bench, databaseUrl, pagesOfExplorer(DELEGATES, PAGE)),
  fullPages: await slowestOf(bench, databaseUrl, pagesOfExplorer(MOST_PER_PAGE, MOST_PER_PAGE)),
});

const SELECT_SESSIONS = `
SELECT pid FROM pg_stat_activity WHERE datname = current_database() AND application_name LIKE 'roundhouse-api%'`;

/** Processor time of the api's sessions. */
const postgresSeconds = (databaseUrl: string): Promise<number> =>
  withClient(databaseUrl, async (client) => {
    const { rows } = await client.query<{ pid: number }>(SELECT_SESSIONS);
    return rows.reduce((sum, { pid }) => sum + cpuSecondsOf(pid), 0);
  });

/** Requests per second, and processor time in ms per answer: the api's and PostgreSQL's. */
const loadOf = async (
  { seconds, repeats }: Bench,
  databaseUrl: string,
  { url, program }: Api,
  pathOf: (n: number) => string,
) => {
  // Opens all connections to PostgreSQL.
  await fire(url, pathOf, { seconds: 1, connections: CONNECTIONS });
  const runs: { perSecond: number; apiMs: number; postgresMs: number }[] = [];
  while (runs.length < repeats) {
    const [api, postgres] = [program.cpuSeconds, await postgresSeconds(databaseUrl)];
    const { perSecond, count } = await fire(url, pathOf, { seconds, connections: CONNECTIONS });
    runs.push({
      perSecond: Math.round(perSecond),
      apiMs: rounded(((program.cpuSeconds - api) * 1000) / count, 3),
      postgresMs: rounded((((await postgresSeconds(databaseUrl)) - postgres) * 1000) / count, 3),
    });
  }
  const of = (name: keyof (typeof runs)[number]): number => median(runs.map((run) => run[name]));
  return { perSecond: of('perSecond'), apiMs: of('apiMs'), postgresMs: of('postgresMs') };
};

/** Measures version 2 of Core: the mix cold and hot, the pages, and `getHeight` beside the cold mix. */
export const benchVersion2 = async (bench: Bench, databaseUrl: string) => {
  const known = await readKnown(databaseUrl);
  const cold = await withApi(databaseUrl, NO_CACHE, async (api) => {
    const load = await loadOf(bench, databaseUrl, api, mixed(known, false));
    const [heights] = await Promise.all([
      fire(api.url, () => '/api/blocks/getHeight', { seconds: bench.seconds * 2, rate: HEIGHTS_PER_SECOND }),
      fire(api.url, mixed(known, false), { seconds: bench.seconds * 2, connections: CONNECTIONS }),
    ]);
    return { ...load, getHeightP99Ms: rounded(heights.latency(0.99), 1) };
  });
  const hot = await withApi(databaseUrl, CACHE_MAX_BYTES, (api) =>
    loadOf(bench, databaseUrl, api, mixed(known, true)),
  );
  return { cold, hot, ...(await explorerPages(bench, databaseUrl)) };
};
