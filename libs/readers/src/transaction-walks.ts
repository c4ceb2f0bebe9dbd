import { CORE_TYPE_GROUP, TransactionType } from '@roundhouse/chain';
import { MOST_ROWS } from './at-head.js';

/**
 * The most transactions that a page looks at if not all of its conditions are part of one index. A page of rare ones
 * ends there, with fewer than it may have, and the next page continues below. Merged ways are read in full before they
 * are merged, so each has its share. To sort them, PostgreSQL also reads what a sender or a recipient has in the last block.
 */
const MOST_SCANNED = 1000;

/** The order of every list: the newest first. `t` has the key of a transaction. */
export const NEWEST_FIRST = 't.block_height DESC, t.sequence DESC';

/** An address' number as a sender is that of its public key. Unknown addresses have 0, which nothing has. */
const senderOf = (address: string): string => `CASE WHEN ${address}::text IS NOT NULL THEN coalesce(
    (SELECT k.number FROM accounts a JOIN public_keys k ON k.value = a.public_key WHERE a.address = ${address}), 0) END`;

const recipientOf = (address: string): string =>
  `CASE WHEN ${address}::text IS NOT NULL THEN coalesce((SELECT number FROM addresses WHERE value = ${address}), 0) END`;

/**
 * What a page is asked for; nearly all may be null. $3, $4: the place that it begins below (height, sequence); $5: the
 * lowest height; $6: the most rows; $7, $8, $9: addresses of either side, of the sender, of the recipient. The planner
 * does not see these values, so it has no reason to make another plan for each of them, which takes longer than a page.
 */
const ASKED = `
asked AS MATERIALIZED (
  SELECT ${senderOf('$7')} AS account_sender, ${recipientOf('$7')} AS account_recipient,
    ${senderOf('$8')} AS sender, ${recipientOf('$9')} AS recipient,
    $3::integer AS height, $4::integer AS sequence, $5::integer AS lowest,
    $10::integer AS type_group, $11::integer AS type, $12::bigint AS least, $13::bigint AS most
)`;

const asked = (column: string): string => `(SELECT ${column} FROM asked)`;

const IS_MULTI_PAYMENT = `t.type_group = ${CORE_TYPE_GROUP} AND t.type = ${TransactionType.MultiPayment}`;

const FILTERS = `(${asked('sender')} IS NULL OR t.sender = ${asked('sender')})
  AND (${asked('recipient')} IS NULL OR t.recipient = ${asked('recipient')} OR (${IS_MULTI_PAYMENT} AND EXISTS (
    SELECT FROM payments p
    WHERE p.recipient = ${asked('recipient')} AND p.block_height = t.block_height AND p.sequence = t.sequence)))
  AND (${asked('type_group')} IS NULL OR t.type_group = ${asked('type_group')})
  AND (${asked('type')} IS NULL OR t.type = ${asked('type')})
  AND (${asked('least')} IS NULL OR t.amount >= ${asked('least')})
  AND (${asked('most')} IS NULL OR t.amount <= ${asked('most')})`;

/** Without `t`: the key is that of the way, so a way that does not need the rest of a row does not read it. */
const COLUMNS = 'block_height, sequence, sender, recipient, type_group, type, amount';

/** The first columns of an index, and the column of `asked` that each is equal to. */
type Prefix = Readonly<Record<string, string>>;

/**
 * SQL of one way through an index that ends with the height, and perhaps with the sequence. Comparing whole rows leaves the planner
 * no other plan: with `sender = …` alone it would sometimes walk the primary key and filter, and for a sender whose
 * transactions are all old it would read the whole table.
 */
const walk = (table: string, columns: string, prefix: Prefix, limit: number, where = 'true'): string => {
  const names = [...Object.keys(prefix).map((name) => `t.${name}`), 't.block_height', 't.sequence'];
  const row = `(${names.join(', ')})`;
  const values = Object.values(prefix).map((column) => `${asked(column)}, `);
  return `SELECT ${columns} FROM ${table} t
  WHERE ${row} < (${values.join('')}${asked('height')}, ${asked('sequence')}) AND ${row} > (${values.join('')}${asked('lowest')}, -1) AND ${where}
  ORDER BY ${names.map((name) => `${name} DESC`).join(', ')} LIMIT ${limit}`;
};

/** The part of the table that `ix_transactions__type` covers. */
const IS_INDEXED_TYPE = '(t.type <> 0 OR t.type_group <> 1)';

/** SQL of the transactions on a way, the newest first, at most `limit`. */
type Rows = (columns: string, limit: number) => string;

interface Walk {
  readonly rows: Rows;
  /** The order in which the planner knows these rows to be. */
  readonly order: string;
  readonly mostScanned: number;
}

const along = (prefix: Prefix, where?: string): Walk => ({
  rows: (columns, limit) => walk('transactions', columns, prefix, limit, where),
  order: [...Object.keys(prefix).map((name) => `t.${name} DESC`), NEWEST_FIRST].join(', '),
  mostScanned: MOST_SCANNED,
});

/** Transfers and the like, and multi-payments. */
const receivedBy = (recipient: string): readonly Rows[] => [
  along({ recipient }, 't.recipient IS NOT NULL').rows,
  (columns, limit) => `SELECT ${columns}
  FROM (${walk('payments', 'block_height, sequence', { recipient }, limit)}) p LEFT JOIN transactions USING (block_height, sequence)`,
];

const KEY = 't.block_height, t.sequence';

/** A transaction that is on several ways, such as one to oneself, is listed once. */
const merged = (...ways: readonly Rows[]): Walk => ({
  rows: (columns, limit) => `SELECT DISTINCT ON (${KEY}) ${columns} FROM (
    ${ways.map((rows) => `(${rows(columns, limit)})`).join(' UNION ALL ')}
  ) t ORDER BY ${NEWEST_FIRST} LIMIT ${limit}`,
  order: NEWEST_FIRST,
  mostScanned: Math.floor(MOST_SCANNED / ways.length),
});

const exactly = ({ rows, order }: Walk): string => `
found AS MATERIALIZED (SELECT ${KEY} FROM (${rows(COLUMNS, MOST_ROWS)}) t ORDER BY ${order}),
stop AS (SELECT NULL::integer AS block_height, NULL::integer AS sequence, NULL::bytea AS block_id)`;

/** Stops reading when the page is full. If it is not, `stop` is where the scan ended; none if nothing is below. */
const filtered = ({ rows, order, mostScanned }: Walk): string => `
found AS MATERIALIZED (
  SELECT ${KEY} FROM (${rows(COLUMNS, mostScanned)}) t WHERE ${FILTERS} ORDER BY ${order} LIMIT ${MOST_ROWS}
),
stop AS (
  SELECT s.*, (SELECT id FROM blocks WHERE height = s.block_height) AS block_id FROM (
    SELECT ${KEY} FROM (${rows(COLUMNS, mostScanned)}) t
    WHERE (SELECT count(*) FROM found) < $6::integer ORDER BY ${order} OFFSET ${mostScanned - 1}
  ) s
)`;

/**
 * How the rows of a page are found: the conditions that a way meets by itself, and the tables of its page, which take $3 to
 * $13. `found` has the keys of the page's rows, or of more than it shows, and `stop` at most one, with the id of its block.
 */
const way = (name: string, walk: Walk, ...meets: readonly string[]) => ({
  name: `transactions-${name}`,
  meets,
  exact: `WITH ${ASKED}, ${exactly(walk)}`,
  filtered: `WITH ${ASKED}, ${filtered(walk)}`,
});

/** The most selective way first. The index of types has no transfers. */
export const WAYS = [
  way(
    'account',
    merged(along({ sender: 'account_sender' }).rows, ...receivedBy('account_recipient')),
    'address',
  ),
  way('sender', along({ sender: 'sender' }), 'sender'),
  way('recipient', merged(...receivedBy('recipient')), 'recipient'),
  way('type', along({ type_group: 'type_group', type: 'type' }, IS_INDEXED_TYPE), 'typeGroup', 'type'),
  way('all', along({})),
];
