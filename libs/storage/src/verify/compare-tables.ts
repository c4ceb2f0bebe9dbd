import type { Network } from '@roundhouse/chain';
import {
  addresses,
  chainColumns,
  dailyFees,
  dailyStatistics,
  historyBalances,
  historyDelegates,
  historyRankings,
  historyVotes,
  historyWeights,
  keyOf,
  network,
  publicKeys,
  roundDigests,
  rounds,
  type Table,
} from '@roundhouse/entities/tables';
import type { ClientBase } from 'pg';
import { namesOf, valuesOf } from '@roundhouse/entities/sql';
import { ENDED_DAYS, type Start } from '../checkpoint/checkpoint.js';
import { dayOf } from '../daily-fees-in.js';
import { paymentsIn } from '../payments-in.js';

/** A row's columns as text; null if a value is absent. */
export type RowText = Readonly<Record<string, string | null>>;

/** A row that differs from what the blocks determine; null if there is no such row. */
export interface RowDifference {
  readonly key: string;
  readonly expected: RowText | null;
  readonly found: RowText | null;
}

export interface TableDifferences {
  readonly table: string;
  /** How many rows differ; `rows` may list fewer. */
  readonly total: number;
  readonly rows: readonly RowDifference[];
}

/** As text: JSON.parse would round long numbers. */
const textsOf = (row: string): string =>
  `(SELECT jsonb_object_agg(key, value) FROM jsonb_each_text(to_jsonb(${row}))) AS ${row}`;

/** A table, and SQL of the rows that it should have, as they are stored, and of those that it has. */
interface Comparison {
  readonly table: Table;
  readonly expected: string;
  readonly found: string;
  /** From $2 on. */
  readonly values: readonly (number | string)[];
}

/** Which rows of history, and of the fees of each day, blocks above $2 may change. */
const ABOVE = new Map<Table, string>([
  [historyBalances, 'height > $2'],
  [historyVotes, 'until_height > $2'],
  [historyDelegates, 'height > $2'],
  [historyWeights, 'height > $2'],
  [historyRankings, 'height > $2'],
  [dailyFees, `day >= (SELECT ${dayOf('"timestamp"')} FROM roundhouse.blocks WHERE height = $2)`],
]);

/** From a checkpoint, what no block above it changes is not computed. */
const derived = (table: Table, { height }: Start): Comparison => {
  const above = ABOVE.get(table);
  const found = `roundhouse.${table.name}`;
  const isPart = above !== undefined && height > 0;
  return {
    table,
    expected: `pg_temp.${table.name}`,
    found: isPart ? `${found} WHERE ${above}` : found,
    values: isPart ? [height] : [],
  };
};

/** PostgreSQL's largest integer. */
const NO_LIMIT = 2_147_483_647;

/** $2, $3: the heights above and up to which blocks are considered. */
const IN_RANGE = 'BETWEEN $2 + 1 AND $3';

/**
 * `mentions`: a query of numbers and the places where they are mentioned: height, place in the block, place in that. $4,
 * $5: the last number that is mentioned up to $2, and up to $3.
 */
const numbered = (table: Table, mentions: string): Omit<Comparison, 'values'> => ({
  table,
  expected: `(
SELECT ($4 + row_number() OVER (ORDER BY first))::integer AS number, first[1] AS height, stored.value
FROM (SELECT number, min(place) AS first FROM (${mentions}) AS mentions WHERE number > $4 GROUP BY number) AS mentioned
  LEFT JOIN roundhouse.${table.name} AS stored USING (number)) AS numbered`,
  found: `roundhouse.${table.name} WHERE number < 1 OR number > $4 AND number <= $5`,
});

const PUBLIC_KEYS = numbered(
  publicKeys,
  `SELECT generator AS number, ARRAY[height, -1] AS place FROM roundhouse.blocks WHERE height ${IN_RANGE}
   UNION ALL SELECT sender, ARRAY[block_height, sequence] FROM roundhouse.transactions WHERE block_height ${IN_RANGE}`,
);

const ADDRESSES = numbered(
  addresses,
  `SELECT recipient AS number, ARRAY[block_height, sequence, 0] AS place FROM roundhouse.transactions
   WHERE recipient IS NOT NULL AND block_height ${IN_RANGE}
   UNION ALL SELECT recipient, ARRAY[block_height, sequence, position]
   FROM (${paymentsIn(`t.block_height ${IN_RANGE}`)}) paid`,
);

/** The numbers that the writer gives if it applies the stored blocks above `above` and up to `upTo`. */
const numbersBetween = (above: Start, upTo: Start): Comparison[] => [
  { ...PUBLIC_KEYS, values: [above.height, upTo.height, above.publicKeys, upTo.publicKeys] },
  { ...ADDRESSES, values: [above.height, upTo.height, above.addresses, upTo.addresses] },
];

const compareQuery = ({ table, expected, found }: Comparison): string => {
  const [columns, key] = [valuesOf(chainColumns(table)), namesOf(keyOf(table))];
  return `
SELECT count(*) OVER ()::integer AS total, ${textsOf('expected')}, ${textsOf('found')}
FROM (SELECT ${columns} FROM ${expected}) AS expected
  FULL JOIN (SELECT ${columns} FROM ${found}) AS found USING (${key})
WHERE expected IS DISTINCT FROM found
ORDER BY ${key}
LIMIT $1`;
};

interface DifferenceRow {
  readonly total: number;
  readonly expected: RowText | null;
  readonly found: RowText | null;
}

const compareTable = async (
  client: ClientBase,
  comparison: Comparison,
  listed: number,
): Promise<TableDifferences> => {
  const { table, values } = comparison;
  const { rows } = await client.query<DifferenceRow>(compareQuery(comparison), [listed, ...values]);
  return {
    table: table.name,
    total: rows[0]?.total ?? 0,
    rows: rows.map(({ expected, found }) => {
      const row = (expected ?? found)!;
      const key = keyOf(table).map(({ name }) => row[name]);
      return { key: key.join(' '), expected, found };
    }),
  };
};

const compareAll = async (
  client: ClientBase,
  comparisons: readonly Comparison[],
  listed: number,
): Promise<TableDifferences[]> => {
  const differences: TableDifferences[] = [];
  for (const comparison of comparisons) {
    const found = await compareTable(client, comparison, listed);
    if (found.total > 0) differences.push(found);
  }
  return differences;
};

/**
 * Compares tables row by row with the temporary ones of the same names (of history, what is above `start`), and the numbers of keys and addresses with those
 * that follow from the blocks above `start`; lists at most `listed` (at least 1) rows of each.
 */
export const compareTables = (
  client: ClientBase,
  tables: readonly Table[],
  start: Start,
  listed: number,
): Promise<TableDifferences[]> => {
  const comparisons = tables.map((table) => derived(table, start));
  const end = { height: NO_LIMIT, publicKeys: NO_LIMIT, addresses: NO_LIMIT };
  return compareAll(client, [...numbersBetween(start, end), ...comparisons], listed);
};

/** $2, $3: what the configuration says, whose nethash the genesis block proves. */
const NETWORK: Omit<Comparison, 'values'> = {
  table: network,
  expected: '(SELECT 1::smallint AS id, $2::text AS name, $3::text AS nethash) AS configured',
  found: 'roundhouse.network',
};

/** Compares the row of the network with its own configuration. */
export const compareNetwork = (client: ClientBase, { name, nethash }: Network): Promise<TableDifferences[]> =>
  compareAll(client, [{ ...NETWORK, values: [name, nethash] }], 1);

const ofCheckpoint = (table: Table, where: string): Omit<Comparison, 'values'> => {
  const [expected, found] = ['checkpoint', 'roundhouse'].map(
    (schema) => `${schema}.${table.name} WHERE ${where}`,
  );
  return { table, expected: expected!, found: found! };
};

/** $2, $3: the first and the last round. */
const BETWEEN = 'round BETWEEN $2 AND $3';
const ROUNDS = ofCheckpoint(rounds, BETWEEN);
const ROUND_DIGESTS = ofCheckpoint(roundDigests, BETWEEN);
const DAYS = ofCheckpoint(dailyStatistics, ENDED_DAYS);

interface Stretch {
  readonly above: Start;
  readonly upTo: Start;
  /** The rounds of the blocks next to both; 0 before the genesis block. */
  readonly nextRounds: readonly [number, number];
}

/**
 * Compares what a stretch of blocks gives and later blocks never change: the numbers of keys and addresses, and the
 * rounds, digests and days that ended with the copies of the checkpoint.
 */
export const compareStretch = (
  client: ClientBase,
  { above, upTo, nextRounds: [first, last] }: Stretch,
  listed: number,
): Promise<TableDifferences[]> =>
  compareAll(
    client,
    [
      ...numbersBetween(above, upTo),
      { ...ROUNDS, values: [first + 1, last] },
      { ...ROUND_DIGESTS, values: [first, last - 1] },
      { ...DAYS, values: [] },
    ],
    listed,
  );
