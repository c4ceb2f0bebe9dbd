import {
  addresses,
  blocks,
  certificatePages,
  certificates,
  dailyFees,
  dailyStatistics,
  DERIVED_TABLES,
  network,
  publicKeys,
  transactions,
  undoDailyStatistics,
  type Table,
} from '@roundhouse/entities/tables';

const CERTIFICATES: readonly Table[] = [certificates, certificatePages];

/**
 * Everything that an index consists of, before-images included: without them, a restored index could not follow a fork
 * at its head. Staged ranges, refused blocks, the source's status and events belong to one running index.
 */
export const SNAPSHOT_TABLES: readonly Table[] = [
  ...[network, publicKeys, addresses, blocks, transactions],
  ...DERIVED_TABLES,
  ...CERTIFICATES,
];

/** What these migrations added: of an index that an earlier version began it is empty until it is rebuilt. */
const ADD_DETAILS = /^AddDetails/;
const DETAILS = ['attributes', 'hasDetails', 'weights'];
const ADD_STATISTICS = /^AddStatistics/;
const STATISTICS: readonly Table[] = [dailyStatistics, undoDailyStatistics];

/** Of an index without it, a snapshot has no certificates. */
const ADD_CERTIFICATES = /^AddCertificates/;

/** The tables and columns of a snapshot of an index with these migrations, as far as it can be restored. */
export const snapshotTablesOf = (migrations: readonly string[]): readonly Table[] => {
  const has = (added: RegExp): boolean => migrations.some((name) => added.test(name));
  const missing = [...(has(ADD_STATISTICS) ? [] : STATISTICS), ...(has(ADD_CERTIFICATES) ? [] : CERTIFICATES)];
  const tables = SNAPSHOT_TABLES.filter((table) => !missing.includes(table));
  if (has(ADD_DETAILS)) return tables;
  return tables
    .filter((table) => table !== dailyFees)
    .map((table) => ({
      ...table,
      columns: table.columns.filter(({ property, isAdded }) => !(isAdded && DETAILS.includes(property))),
    }));
};

/** Loaded at the same time, each in a transaction of its own; all others are small and share one. */
export const LARGE_TABLES: readonly Table[] = [blocks, transactions];

/** Name and type of each column, in the order in which a snapshot holds the values. */
export const columnsOf = ({ columns }: Table): string[] => columns.map(({ name, type }) => `${name} ${type}`);
