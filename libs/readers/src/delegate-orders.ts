export type DelegateSort =
  | 'rank'
  | 'username'
  | 'address'
  | 'publicKey'
  | 'vote'
  | 'producedblocks'
  | 'missedblocks'
  | 'productivity'
  | 'forged';

export type SortDirection = 'asc' | 'desc';

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
export const ORDERS: Readonly<Record<DelegateSort, Record<SortDirection, string>>> = {
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
};

// ix_delegates__rank sorts by weight only within each half: delegates that have not resigned, and those that have.
const byWeight = (limit: string, offset: string): string => {
  const half = (which: string): string =>
    `(SELECT * FROM delegates d WHERE ${which} ORDER BY ${ORDERS.vote.desc} LIMIT ${limit}::bigint + ${offset}::bigint)`;
  return `(${half('NOT is_resigned')} UNION ALL ${half('is_resigned')})`;
};

/** SQL of a page of all delegates; `limit` and `offset` are parameters. */
export const pageOf = (
  sort: DelegateSort,
  direction: SortDirection,
  limit: string,
  offset: string,
): string => {
  const all = sort === 'vote' && direction === 'desc' ? byWeight(limit, offset) : 'delegates';
  return `SELECT * FROM ${all} d ORDER BY ${ORDERS[sort][direction]} LIMIT ${limit} OFFSET ${offset}`;
};

/** SQL: whether the name of the delegate `d` contains `text`, which is in lower case. lower() in COLLATE "C" changes ASCII alone. */
export const nameContains = (text: string): string => `strpos(lower(d.username), ${text}) > 0`;

/** toLowerCase() would also change letters outside of ASCII. */
export const lowerAscii = (text: string): string => text.replace(/[A-Z]/g, (letter) => letter.toLowerCase());
