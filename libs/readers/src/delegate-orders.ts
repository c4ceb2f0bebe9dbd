export type SortDirection = 'asc' | 'desc';

export const OPPOSITE = { asc: 'desc', desc: 'asc' } as const;

/** The order of ix_delegates__rank. */
export const RANK = 'd.is_resigned, d.weight DESC, d.public_key';

// double precision divides equal fractions to equal quotients; numeric does not promise that.
const PRODUCTIVITY = `CASE WHEN d.produced_blocks + d.missed_blocks = 0 THEN 0
  ELSE d.produced_blocks::double precision / (d.produced_blocks::bigint + d.missed_blocks) END`;

const byColumn = (column: string): Record<SortDirection, string> => ({
  asc: `${column}, d.public_key`,
  desc: `${column} DESC, d.public_key`,
});

/** SQL of each order of delegates `d`; ties by public key, ascending. */
export const ORDERS = {
  // No two delegates have the same rank, so the descending order is the exact reverse.
  rank: { asc: RANK, desc: 'd.is_resigned DESC, d.weight, d.public_key DESC' },
  username: byColumn('d.username'),
  address: byColumn('d.address'),
  publicKey: { asc: 'd.public_key', desc: 'd.public_key DESC' },
  vote: byColumn('d.weight'),
  producedblocks: byColumn('d.produced_blocks'),
  missedblocks: byColumn('d.missed_blocks'),
  productivity: byColumn(PRODUCTIVITY),
  forged: byColumn('d.forged_fees + d.forged_rewards'),
} as const;

export type DelegateSort = keyof typeof ORDERS;

export interface DelegatesPage {
  readonly sort: DelegateSort;
  readonly direction: SortDirection;
  readonly limit: number;
  readonly offset: number;
}

/** What `make` makes for each order, made once. */
export const inEachOrder = <Sort extends string, T>(
  orders: Readonly<Record<Sort, unknown>>,
  make: (sort: Sort, direction: SortDirection) => T,
) => {
  const both = (sort: Sort) => [sort, { asc: make(sort, 'asc'), desc: make(sort, 'desc') }];
  return Object.fromEntries((Object.keys(orders) as Sort[]).map(both)) as Record<
    Sort,
    Record<SortDirection, T>
  >;
};

// ix_delegates__rank sorts by weight only within each half: delegates that have not resigned, and those that have.
const byWeight = (limit: string, offset: string): string => {
  const half = (which: string): string =>
    `(SELECT * FROM delegates d WHERE ${which} ORDER BY ${ORDERS.vote.desc} LIMIT ${limit}::bigint + ${offset}::bigint)`;
  return `(${half('NOT is_resigned')} UNION ALL ${half('is_resigned')})`;
};

/** SQL of a page of all delegates; `limit` and `offset` are parameters. */
export const pageOfDelegates = (
  sort: DelegateSort,
  direction: SortDirection,
  limit: string,
  offset: string,
) => {
  const all = sort === 'vote' && direction === 'desc' ? byWeight(limit, offset) : 'delegates';
  return `SELECT * FROM ${all} d ORDER BY ${ORDERS[sort][direction]} LIMIT ${limit} OFFSET ${offset}`;
};
