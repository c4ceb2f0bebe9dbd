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
/** Different pages, so that no two requests that are made at once share an answer. */
const PAGES = 40;

interface Known {
  readonly blocks: number;
  readonly transactions: number;
  /** The addresses of the wallets that sent most, the first one first. */
  readonly addresses: readonly string[];
  /** How many transactions each of them sent. */
  readonly sent: readonly number[];
  /** The delegate with most votes. */
  readonly delegate: string;
  readonly voters: number;
}

const SELECT_KNOWN = `
SELECT head.height AS blocks, (SELECT sum(count)::integer FROM daily_fees) AS transactions, most.*, best.*
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
  (n) => `/api/v2/delegates?limit=51&offset=${n % PAGES}`,
  () => '/api/v2/blockchain',
  () => '/api/v2/node/status',
];

/** The n-th request of the mix. Hot ones ask the same again and again. */
const mixed =
  (known: Known, isHot: boolean) =>
  (n: number): string =>
    MIX[n % MIX.length]!(isHot ? 0 : Math.floor(n / MIX.length), known);

/** Pages of an explorer, and the last of each that the limits of a node allow. */
const PAGES_OF_EXPLORER: Readonly<Record<string, PathOf>> = {
  blocks: () => '/api/v2/blocks?limit=100',
  lastBlocks: (_, { blocks }) => `/api/v2/blocks?limit=100&page=${Math.ceil(blocks / 100)}`,
  transactions: () => '/api/v2/transactions?limit=100',
  lastTransactions: (_, { transactions }) =>
    `/api/v2/transactions?limit=100&page=${Math.ceil(transactions / 100)}`,
  wallet: (n, known) => `/api/v2/wallets/${address(n, known)}`,
  walletTransactions: (n, known) => `/api/v2/wallets/${address(n, known)}/transactions?limit=100`,
  lastWalletTransactions: (n, known) =>
    `/api/v2/wallets/${address(n, known)}/transactions/sent?limit=100&page=${Math.ceil(known.sent[n % known.sent.length]! / 100)}`,
  delegates: () => '/api/v2/delegates?limit=100',
  voters: (_, { delegate }) => `/api/v2/delegates/${delegate}/voters?limit=100`,
  lastVoters: (_, { delegate, voters }) =>
    `/api/v2/delegates/${delegate}/voters?limit=100&page=${Math.max(1, Math.ceil(voters / 100))}`,
};

/** Cold latencies of an explorer's pages at the 95th percentile, in ms, one request after the other. */
export const explorerPages = (bench: Bench, databaseUrl: string): Promise<Record<string, number>> =>
  withApi(databaseUrl, NO_CACHE, async ({ url }) => {
    const known = await readKnown(databaseUrl);
    const p95: Record<string, number> = {};
    for (const [name, path] of Object.entries(PAGES_OF_EXPLORER)) {
      // A process that has run for a while has compiled its code.
      await fire(url, (n) => path(n, known), { ...bench, connections: CONNECTIONS });
      const { latency } = await fire(url, (n) => path(n, known), bench);
      p95[name] = rounded(latency(0.95), 1);
    }
    return p95;
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
  return { cold, hot, pages: await explorerPages(bench, databaseUrl) };
};
