type Numbers = Readonly<Record<string, number>>;
type Ratios = Readonly<Record<string, { readonly ratio: number }>>;

/** What `npm run bench` has written; a part that was never run is absent. */
export interface Results {
  readonly index?: Numbers;
  readonly tip?: Numbers;
  readonly tipByWebhook?: Numbers;
  readonly api?: {
    readonly hot: Ratios;
    readonly cold: Ratios;
    readonly growth: Numbers;
    readonly offsetRatio: number;
    readonly crowd: Numbers;
    readonly v2?: { readonly cold: Numbers; readonly hot: Numbers; readonly pages?: Numbers };
    readonly rssMiB: number;
    readonly startMs: number;
  };
  readonly scale?: {
    readonly indexSeconds: number;
    readonly gigabytes: number;
    readonly flatness: number;
    readonly rssMiB: number;
    readonly startMs: number;
    readonly undo1000Ms: number;
    readonly apiStartMs: number;
    readonly streams: Numbers;
    readonly pages?: Numbers;
  };
  readonly archive?: {
    readonly blocks: number;
    readonly commands: Readonly<Record<string, Numbers>>;
    readonly proofMs: number;
  };
  readonly statements?: {
    readonly blocks: number;
    readonly gigabytes: number;
    readonly statements: Readonly<Record<string, { readonly ms: number; readonly by: string }>>;
  };
}

interface Figure {
  readonly name: string;
  readonly meaning: string;
  readonly of: (results: Results) => number | undefined;
  /** A bound: the figure should be at most, or at least, this. */
  readonly aim: readonly ['≤' | '≥', number] | undefined;
}

const figure = (
  name: string,
  meaning: string,
  of: (results: Results) => number | undefined,
  ...aim: ['≤' | '≥', number] | []
): Figure => ({ name, meaning, of, aim: aim.length === 0 ? undefined : aim });

const lowest = (ratios: Ratios | undefined): number | undefined =>
  ratios && Math.min(...Object.values(ratios).map(({ ratio }) => ratio));

const highest = (numbers: Numbers | undefined): number | undefined =>
  numbers && Math.max(...Object.values(numbers));

const FIGURES: readonly Figure[] = [
  figure(
    'index.ratioToCopy',
    'indexed rows/s, as a share of a plain `COPY`',
    (r) => r.index?.['ratioToCopy'],
    '≥',
    0.5,
  ),
  figure(
    'index.flatness',
    'speed of the last tenth ÷ that of the first',
    (r) => r.index?.['flatness'],
    '≥',
    0.9,
  ),
  figure('index.rssMiB', 'peak memory of the indexer', (r) => r.index?.['rssMiB'], '≤', 400),
  figure('index.undo1000Ms', 'undoing 1,000 blocks', (r) => r.index?.['undo1000Ms'], '≤', 2000),
  figure('index.startMs', 'until the indexer can write', (r) => r.index?.['startMs'], '≤', 3000),
  figure(
    'index.verifiedBlocksPerSecond',
    'with `VERIFY=full`',
    (r) => r.index?.['verifiedBlocksPerSecond'],
    '≥',
    4000,
  ),
  figure('tip.p50Ms', 'from a node to the api, median', (r) => r.tip?.['p50Ms'], '≤', 1050),
  figure('tip.p99Ms', 'from a node to the api, slowest hundredth', (r) => r.tip?.['p99Ms'], '≤', 1150),
  figure(
    'tipByWebhook.p50Ms',
    'from a node to the api, announced by webhook',
    (r) => r.tipByWebhook?.['p50Ms'],
  ),
  figure('api.hot', "kept answers/s ÷ a bare server's; worst endpoint", (r) => lowest(r.api?.hot), '≥', 0.8),
  figure('api.cold', "new answers/s ÷ a bare query's; worst endpoint", (r) => lowest(r.api?.cold), '≥', 0.6),
  figure(
    'api.growth',
    'worst latency on a long chain ÷ that on a short one',
    (r) => highest(r.api?.growth),
    '≤',
    1.2,
  ),
  figure(
    'api.offsetRatio',
    'latency of `/api/blocks` deep in the chain ÷ at its top',
    (r) => r.api?.offsetRatio,
    '≤',
    1.2,
  ),
  figure('api.crowd.votersMs', 'all 20,000 voters', (r) => r.api?.crowd['votersMs'], '≤', 50),
  figure(
    'api.v2.cold.apiMs',
    "a new answer: the api's processor time",
    (r) => r.api?.v2?.cold['apiMs'],
    '≤',
    0.135,
  ),
  figure(
    'api.v2.cold.postgresMs',
    "a new answer: PostgreSQL's processor time",
    (r) => r.api?.v2?.cold['postgresMs'],
    '≤',
    0.043,
  ),
  figure(
    'api.v2.hot.apiMs',
    "a kept answer: the api's processor time",
    (r) => r.api?.v2?.hot['apiMs'],
    '≤',
    0.036,
  ),
  figure('api.v2.pagesMs', 'slowest page', (r) => highest(r.api?.v2?.pages), '≤', 10),
  figure(
    'api.v2.getHeightP99Ms',
    'latency of `getHeight` while new answers are made',
    (r) => r.api?.v2?.cold['getHeightP99Ms'],
    '≤',
    50,
  ),
  figure('api.rssMiB', 'peak memory of the api', (r) => r.api?.rssMiB, '≤', 200),
  figure('api.startMs', 'until the first answer', (r) => r.api?.startMs, '≤', 1500),
  figure('scale.indexSeconds', 'indexing 5,000,000 blocks', (r) => r.scale?.indexSeconds),
  figure('scale.gigabytes', 'tables and indexes of 5,000,000 blocks', (r) => r.scale?.gigabytes),
  figure('scale.flatness', 'speed of the last tenth ÷ that of the first', (r) => r.scale?.flatness, '≥', 0.9),
  figure('scale.rssMiB', 'peak memory of the indexer', (r) => r.scale?.rssMiB, '≤', 512),
  figure('scale.startMs', 'until the indexer can write', (r) => r.scale?.startMs, '≤', 3000),
  figure('scale.undo1000Ms', 'undoing 1,000 blocks', (r) => r.scale?.undo1000Ms, '≤', 2000),
  figure('scale.apiStartMs', 'until the first answer', (r) => r.scale?.apiStartMs, '≤', 1500),
  figure('scale.pagesMs', 'slowest page', (r) => highest(r.scale?.pages), '≤', 10),
  figure(
    'scale.streams.getHeightP99Ms',
    'latency of `getHeight` during 32 long lists',
    (r) => r.scale?.streams['getHeightP99Ms'],
    '≤',
    50,
  ),
  figure('archive.proofMs', 'the proof of an account', (r) => r.archive?.proofMs, '≤', 50),
  figure('statements.gigabytes', 'the indexes of `SQL_VIEWS`', (r) => r.statements?.gigabytes),
];

const row = ({ name, meaning, of, aim }: Figure, results: Results): string => {
  const found = of(results);
  if (aim === undefined) return `| \`${name}\` | ${meaning} | ${found ?? '–'} | |`;
  const [sign, bound] = aim;
  const isMissed = found !== undefined && (sign === '≤' ? found > bound : found < bound);
  return `| \`${name}\` | ${meaning} | ${found ?? '–'} | ${sign} ${bound}${isMissed ? ', **missed**' : ''} |`;
};

const tableOf = (head: readonly string[], rows: readonly string[]): string =>
  [`| ${head.join(' | ')} |`, `|${'---|'.repeat(head.length)}`, ...rows].join('\n');

const alignedRow = (name: string, ms: number | string, by: string): string =>
  `${name.padEnd(24)}${String(ms).padStart(8)}  ${by}`;

const at = (measured: { readonly blocks: number } | undefined): string =>
  measured === undefined ? '' : `At ${measured.blocks.toLocaleString('en')} blocks:\n\n`;

/** The tables of the page, by the names of their places. */
const TABLES: Readonly<Record<string, (results: Results) => string>> = {
  figures: (results) =>
    tableOf(
      ['figure', 'what it is', 'newest', 'aim'],
      FIGURES.map((each) => row(each, results)),
    ),
  archive: ({ archive }) =>
    at(archive) +
    tableOf(
      ['command', 'seconds', 'processor seconds', 'MiB of memory', 'MiB written'],
      Object.entries(archive?.commands ?? {}).map(
        ([name, { seconds, cpuSeconds, rssMiB, mebibytes }]) =>
          `| ${name} | ${seconds} | ${cpuSeconds} | ${rssMiB} | ${mebibytes} |`,
      ),
    ),
  // Aligned, because each mark between cells counts as a word, and there are many rows.
  statements: ({ statements }) =>
    at(statements) +
    [
      '```text',
      alignedRow('statement', 'ms', 'found by'),
      ...Object.entries(statements?.statements ?? {}).map(([name, { ms, by }]) => alignedRow(name, ms, by)),
      '```',
    ].join('\n'),
};

/** The page with tables of the results in the places that their marks show. */
export const withFigures = (page: string, results: Results): string =>
  Object.entries(TABLES).reduce((text, [name, make]) => {
    const place = new RegExp(`(?<=<!-- ${name} -->\\n).*(?=<!-- end of ${name} -->)`, 's');
    if (!place.test(text)) throw new Error(`The page has no <!-- ${name} --> and <!-- end of ${name} -->.`);
    return text.replace(place, () => `\n${make(results)}\n\n`);
  }, page);
