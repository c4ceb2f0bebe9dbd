import {
  addresses,
  blocks,
  certificatePages,
  certificates,
  claimDrifts,
  columnFor,
  dailyFees,
  dailyStatistics,
  DERIVED_TABLES,
  head,
  historyBalances,
  historyDelegates,
  historyRankings,
  historyVotes,
  historyWeights,
  misplacedBlocks,
  network,
  payments,
  publicKeys,
  roundDigests,
  roundRevisions,
  rounds,
  transactions,
  undoDailyStatistics,
  type Column,
  type Table,
} from '@roundhouse/entities/tables';

/** When and how often this index was written: a restored one begins with its own. */
const OWN_COLUMNS = [columnFor(head, 'indexedAt'), columnFor(head, 'revision')];

/** What is proven of this index is not yet proven of a restored one. */
const PROOF_COLUMNS = [columnFor(network, 'provenAt'), columnFor(network, 'endProblem')];

const CERTIFICATES: readonly Table[] = [certificates, certificatePages];

const ALL_TABLES: readonly Table[] = [
  network,
  publicKeys,
  addresses,
  blocks,
  transactions,
  ...DERIVED_TABLES,
  ...CERTIFICATES,
];

const withColumns = (columns: (column: Column) => boolean, tables = ALL_TABLES): Table[] =>
  tables.map((table) => ({
    ...table,
    columns: table.columns.filter((column) => columns(column) && !PROOF_COLUMNS.includes(column)),
  }));

/**
 * Everything that an index consists of, before-images included: without them, a restored index could not follow a fork
 * at its head. Staged ranges, refused blocks, the source's status and events belong to one running index.
 */
export const SNAPSHOT_TABLES: readonly Table[] = withColumns((column) => !OWN_COLUMNS.includes(column));

/**
 * The property with the height that a row belongs to, of tables whose rows never change once the block at that height can
 * no longer be undone. A vote changes when it ends, so it belongs to the height at which it did. A
 * certificate may be added at any height. Tables that are not named here may change anywhere.
 */
const HEIGHTS: ReadonlyMap<string, string> = new Map([
  [transactions.name, 'blockHeight'],
  [payments.name, 'blockHeight'],
  [rounds.name, 'firstHeight'],
  [historyVotes.name, 'untilHeight'],
  ...[
    blocks,
    publicKeys,
    addresses,
    claimDrifts,
    roundRevisions,
    misplacedBlocks,
    roundDigests,
    historyBalances,
    historyDelegates,
    historyWeights,
    historyRankings,
    ...CERTIFICATES,
  ].map(({ name }) => [name, 'height'] as const),
]);

/** The column with that height; undefined for tables that are always written whole. */
export const heightColumnOf = ({ name, columns }: Table): Column | undefined =>
  columns.find(({ property }) => property === HEIGHTS.get(name));

interface Addition {
  readonly migration: RegExp;
  readonly tables?: readonly Table[];
  readonly columns?: readonly string[];
}

/** What later migrations added. A snapshot that lacks it is restored without: see `docs/runbook/snapshots.md`. */
const ADDITIONS: readonly Addition[] = [
  { migration: /^AddDetails/, tables: [dailyFees], columns: ['attributes', 'hasDetails', 'weights'] },
  { migration: /^AddStatistics/, tables: [dailyStatistics, undoDailyStatistics] },
  { migration: /^AddCertificates/, tables: CERTIFICATES },
  { migration: /^EndChain/, columns: ['finalHeight', 'finalId'] },
];

/**
 * The tables and columns of a snapshot of an index with these migrations, as far as it can be restored. Version 1 of the
 * format has every column.
 */
export const snapshotTablesOf = (migrations: readonly string[], version = 2): readonly Table[] => {
  const missing = ADDITIONS.filter(({ migration }) => !migrations.some((name) => migration.test(name)));
  const tables = missing.flatMap((addition) => (addition.tables ?? []).map(({ name }) => name));
  const columns = missing.flatMap((addition) => addition.columns ?? []);
  return withColumns(
    ({ property, isAdded }) => !(isAdded && columns.includes(property)),
    (version === 1 ? ALL_TABLES : SNAPSHOT_TABLES).filter(({ name }) => !tables.includes(name)),
  );
};

/** Loaded at the same time, each in a transaction of its own; all others are small and share one. */
export const LARGE_TABLES: readonly string[] = [blocks.name, transactions.name];

/** Name and type of each column, in the order in which a snapshot holds the values. */
export const columnsOf = ({ columns }: Table): string[] => columns.map(({ name, type }) => `${name} ${type}`);
