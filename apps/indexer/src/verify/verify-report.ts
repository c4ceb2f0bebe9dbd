import type { IndexReport, RowDifference, TableDifferences } from '@roundhouse/storage';

/** Longer values are cut; the table has all of them. */
const LONGEST_VALUE = 120;

const shown = (value: string | null | undefined): string => {
  if (value === null || value === undefined) return 'null';
  return value.length > LONGEST_VALUE ? `${value.slice(0, LONGEST_VALUE)}…` : value;
};

const listOf = (value: string | null | undefined): unknown[] | null =>
  value?.startsWith('[') ? (JSON.parse(value) as unknown[]) : null;

/** For two lists, names only the first entry that differs. */
const columnProblem = (column: string, found: string | null, expected: string | null): string => {
  const [foundList, expectedList] = [listOf(found), listOf(expected)];
  if (!foundList || !expectedList) return `${column} is ${shown(found)}, expected ${shown(expected)}`;
  if (foundList.length !== expectedList.length) {
    return `${column} has ${foundList.length} entries, expected ${expectedList.length}`;
  }
  const place = foundList.findIndex((entry, index) => entry !== expectedList[index]);
  return `${column}[${place}] is ${String(foundList[place])}, expected ${String(expectedList[place])}`;
};

const rowProblem = ({ expected, found }: RowDifference): string => {
  if (expected === null) return 'is there, expected none';
  if (found === null) {
    const values = Object.entries(expected).map(([column, value]) => `${column} ${shown(value)}`);
    return `is missing, expected ${values.join(', ')}`;
  }
  return Object.keys(expected)
    .filter((column) => expected[column] !== found[column])
    .map((column) => columnProblem(column, found[column]!, expected[column]!))
    .join('; ');
};

const rowsOf = (count: number): string => (count === 1 ? '1 row differs' : `${count} rows differ`);

export const tableLines = ({ table, total, rows }: TableDifferences): string[] => [
  `${table}: ${rowsOf(total)}`,
  ...rows.map((row) => `  ${row.key}: ${rowProblem(row)}`),
  ...(total > rows.length ? [`  and ${total - rows.length} more`] : []),
];

const countOf = ({ from, head }: IndexReport): string =>
  from === 0
    ? `${head!.height} blocks up to ${head!.id}`
    : `${head!.height - from} blocks above the checkpoint at height ${from}, up to ${head!.id}`;

/** What is wrong although each block is right. */
const disagreements = ({ strays, tables }: IndexReport): string[] => {
  const isNetwork = ({ table }: TableDifferences): boolean => table === 'network';
  return [
    ...(tables.every(isNetwork) ? [] : ['the derived tables do not agree with them']),
    ...(tables.some(isNetwork) ? ["the network's row does not agree with its configuration"] : []),
    ...(strays.length === 0 ? [] : ['there are rows that belong to none of them']),
  ];
};

const verdictOf = (report: IndexReport): string => {
  const { head, badBlocks, strays, isBroken } = report;
  if (isBroken) {
    return `The stored blocks above height ${head?.height ?? 0} cannot be applied: the derived tables were not compared.`;
  }
  if (head === null)
    return strays.length === 0
      ? 'The index is empty: there is nothing to verify.'
      : 'The index has no block from height 1 on, but rows that belong to one.';
  const verified = `Verified ${countOf(report)}`;
  if (badBlocks.length > 0) return `${verified}: ${badBlocks.length} of them contradict themselves.`;
  const wrong = disagreements(report);
  return `${verified}: ${wrong.length === 0 ? 'every derived table agrees with them' : wrong.join(', and ')}.`;
};

const LISTED_BLOCKS = 20;

const listed = <T>(found: readonly T[], what: string, line: (one: T) => string): string[] => [
  ...found.slice(0, LISTED_BLOCKS).map(line),
  ...(found.length > LISTED_BLOCKS ? [`and ${found.length - LISTED_BLOCKS} more ${what}`] : []),
];

/** The findings, line by line. */
export const findingLines = ({
  badBlocks,
  strays,
  tables,
}: Pick<IndexReport, 'badBlocks' | 'strays' | 'tables'>): string[] => [
  ...listed(badBlocks, 'blocks', ({ height, problem }) => `block ${height}: ${problem}`),
  ...listed(strays, 'heights', ({ height, problem }) => `height ${height}: ${problem}`),
  ...tables.flatMap(tableLines),
];

/** These blocks are as the operator wanted, so they are no finding. */
const misplacedLines = ({ misplaced }: IndexReport): string[] =>
  misplaced.length === 0
    ? []
    : [
        `FORGERS=active accepted ${misplaced.length} block${misplaced.length === 1 ? '' : 's'} whose forger does not have the slot: ` +
          misplaced.slice(0, LISTED_BLOCKS).join(', ') +
          (misplaced.length > LISTED_BLOCKS ? ', …' : ''),
      ];

/** The findings, line by line; the last line is the verdict. */
export const reportLines = (report: IndexReport): string[] => [
  ...findingLines(report),
  ...misplacedLines(report),
  verdictOf(report),
];

export const isSound = ({ badBlocks, strays, tables }: IndexReport): boolean =>
  badBlocks.length === 0 && strays.length === 0 && tables.length === 0;
