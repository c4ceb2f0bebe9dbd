import { ALL_WEIGHTS_EVERY } from '@roundhouse/chain';

/** SQL of a column of `row` after a block: that of `image`, its oldest before-image above the block, or else the row's. */
export const valueAfter = (row: string, image: string, column: string): string =>
  `CASE WHEN ${image}.height IS NULL THEN ${row}.${column} ELSE ${image}.${column} END`;

/** SQL of the oldest before-images above `height`. */
export const imagesAbove = (table: string, key: string, height: string): string =>
  `(SELECT DISTINCT ON (${key}) * FROM ${table} WHERE height > ${height} ORDER BY ${key}, height)`;

const accountValue = (column: string): string => `${valueAfter('a', 'was', column)} AS ${column}`;

/** SQL of all accounts after the block $1, to which undoing can go back: the oldest before-image above it, or else the row. */
export const ACCOUNTS_BY_IMAGES = `(
  SELECT a.address, ${['public_key', 'balance', 'locked', 'nonce', 'vote'].map(accountValue).join(', ')}
  FROM accounts a LEFT JOIN ${imagesAbove('undo_accounts', 'address', '$1')} was ON was.address = a.address
  WHERE was.existed IS NOT FALSE)`;

/** SQL of the row of an account's amounts, as columns of `b`, after the block at `height`. */
export const amountsAt = (account: string, height: string): string =>
  `(SELECT balance, locked FROM history_balances b
  WHERE b.account = ${account} AND b.height <= ${height} ORDER BY b.height DESC LIMIT 1)`;

/** SQL of the row of an account's vote, null or missing if it had none, after the block at `height`. */
export const voteAt = (account: string, height: string): string =>
  `(SELECT CASE WHEN until_height > ${height} THEN vote END AS vote
  FROM history_votes p WHERE p.account = ${account} AND p.from_height <= ${height} ORDER BY p.from_height DESC LIMIT 1)`;

/** SQL of a delegate's values, except for its weight, after the block at `height`. */
export const delegateAt = (delegate: string, height: string): string =>
  `(SELECT * FROM history_delegates n
  WHERE n.delegate = ${delegate} AND n.height <= ${height} ORDER BY n.height DESC LIMIT 1)`;

/** SQL of the rows, as `w`, that have the weights of all delegates after the block at `height`. */
const weightRows = (height: string): string =>
  `history_weights w WHERE w.height <= ${height} AND w.height >= ${height}::integer - ${height}::integer % ${ALL_WEIGHTS_EVERY}`;

/** SQL of the weights of all delegates, by number, after the block at `height`. */
export const weightsAt = (height: string): string =>
  `(SELECT DISTINCT ON (listed.delegate) listed.delegate, listed.weight
  FROM (SELECT * FROM ${weightRows(height)}) w CROSS JOIN LATERAL unnest(w.delegates, w.weights) AS listed (delegate, weight)
  ORDER BY listed.delegate, w.height DESC)`;

/** SQL of the weight of one delegate after the block at `height`. */
export const weightAt = (delegate: string, height: string): string =>
  `(SELECT w.weights[array_position(w.delegates, ${delegate})] AS weight
  FROM ${weightRows(height)} AND ${delegate} = ANY (w.delegates) ORDER BY w.height DESC LIMIT 1)`;

/** SQL of the numbers of the delegates by rank after the block at `height`. */
export const ranksAt = (height: string): string =>
  `(SELECT past.delegates FROM history_rankings past WHERE past.height <= ${height} ORDER BY past.height DESC LIMIT 1)`;
