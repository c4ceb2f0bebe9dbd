import { CORE_TYPE_GROUP, KNOWN_TYPES, MAGISTRATE_TYPE_GROUP, TransactionType } from '@roundhouse/chain';
import { blocks, heightGroup } from '../tables/index.js';
import { columnOf, hexText, keyOfNumber, LASTING_HEIGHT } from './table-sql.js';

// What changes the balance of one account, as the ledger does it (protocol.md, "Transactions").

const is = (...types: readonly TransactionType[]): string =>
  `(t.type_group = ${CORE_TYPE_GROUP} AND t.type IN (${types.join(', ')}))`;

const MAGISTRATE_TYPES = KNOWN_TYPES.filter(({ typeGroup }) => typeGroup === MAGISTRATE_TYPE_GROUP).length;

/** Whether a transaction moves its amount like a transfer. Transfers do, other types if they have an amount and a recipient. */
const MOVES = `(${is(TransactionType.Transfer)} OR (t.amount > 0 AND t.recipient IS NOT NULL AND (
    (t.type_group = ${MAGISTRATE_TYPE_GROUP} AND t.type < ${MAGISTRATE_TYPES})
    OR EXISTS (SELECT FROM network, jsonb_array_elements(configuration -> 'customTypes') AS custom
      WHERE custom ->> 'moves' = 'transfer' AND (custom ->> 'typeGroup')::integer = t.type_group
        AND (custom ->> 'type')::integer = t.type))))`;

const PAYMENT = is(TransactionType.MultiPayment);
const LOCK = is(TransactionType.HtlcLock);

const key = '(SELECT key FROM who)';
const address = '(SELECT number FROM who)';

/** After all transactions of a block. */
const AT_THE_END = 2 ** 31 - 1;

const columns = (
  kind: string,
  amount: string,
  { fee = '0', part = '0', sender = 'NULL', recipient = 'NULL', at = 't' } = {},
): string =>
  `${at}.block_height AS height, ${at}.sequence, ${part} AS part, ${at}.id, ${kind} AS kind, ${sender}::integer AS sender,
    ${recipient}::text AS recipient, ${amount} AS amount, ${fee} AS fee`;

const addressOfNumber = (number: string): string =>
  `(SELECT value FROM addresses WHERE addresses.number = ${number})`;

/** SQL of the claims or refunds `c` of locks `t`. */
const endsOf = (type: TransactionType): string =>
  `JOIN transactions c ON c.type_group = ${CORE_TYPE_GROUP} AND c.type IN (${TransactionType.HtlcClaim}, ${TransactionType.HtlcRefund})
    AND c.type = ${type} AND c.asset ->> 'lockTransactionId' = ${hexText('t.id')}`;

/** SQL of the payments in the asset of `t`, which is a multi-payment. */
const payments = (join: string, condition: string): string =>
  `${join} JOIN LATERAL json_array_elements(t.asset -> 'payments') WITH ORDINALITY AS p (payment, place) ON ${condition}`;

/** Each row changes the balance of the account with the address $3, at a height from `first` to `last`. */
const changes = (first: string, last: string): string => {
  const within = (height: string): string => `${height} BETWEEN ${first} AND ${last}`;
  return `WITH who AS MATERIALIZED (
  SELECT (SELECT number FROM public_keys WHERE value = a.public_key) AS key,
    (SELECT number FROM addresses WHERE value = a.address) AS number, a.address, a.balance
  FROM accounts a WHERE a.address = $3
), changes AS (
  SELECT ${columns(
    `CASE WHEN ${MOVES} THEN 'sent' WHEN ${LOCK} THEN 'lock' ELSE 'fee' END`,
    `CASE WHEN ${MOVES} OR ${LOCK} THEN -t.amount ELSE 0 END`,
    {
      fee: '-t.fee',
      recipient: `CASE WHEN ${MOVES} OR ${LOCK} THEN ${addressOfNumber('t.recipient')} END`,
    },
  )}
  FROM transactions t WHERE t.sender = ${key} AND ${within('t.block_height')} AND NOT ${PAYMENT}
  UNION ALL
  SELECT ${columns("'payment'", `-coalesce((p.payment ->> 1)::bigint, 0)`, {
    fee: 'CASE WHEN coalesce(p.place, 1) = 1 THEN -t.fee ELSE 0 END',
    part: 'coalesce(2 * p.place, 0)',
    recipient: 'p.payment ->> 0',
  })}
  FROM transactions t ${payments('LEFT', 'true')}
  WHERE t.sender = ${key} AND ${within('t.block_height')} AND ${PAYMENT}
  UNION ALL
  SELECT ${columns("'received'", 't.amount', { part: '1', sender: 't.sender' })}
  FROM transactions t WHERE t.recipient = ${address} AND ${within('t.block_height')} AND ${MOVES}
  UNION ALL
  SELECT ${columns("'payment'", '(p.payment ->> 1)::bigint', { part: '2 * p.place + 1', sender: 't.sender' })}
  FROM payments paid JOIN transactions t USING (block_height, sequence) ${payments('', `p.payment ->> 0 = $3`)}
  WHERE paid.recipient = ${address} AND ${within('paid.block_height')}
  UNION ALL
  SELECT ${columns("'claim'", 't.amount', { part: '1', sender: 't.sender', at: 'c' })}
  FROM transactions t ${endsOf(TransactionType.HtlcClaim)}
  WHERE t.recipient = ${address} AND ${LOCK} AND ${within('c.block_height')}
  UNION ALL
  SELECT ${columns("'refund'", 't.amount', { part: '1', recipient: addressOfNumber('t.recipient'), at: 'c' })}
  FROM transactions t ${endsOf(TransactionType.HtlcRefund)}
  WHERE t.sender = ${key} AND ${LOCK} AND ${within('c.block_height')}
  UNION ALL
  SELECT b.height, ${AT_THE_END}, 0, NULL, 'forged', NULL, NULL, b.reward, ${columnOf('b', blocks, 'totalFee')}
  FROM blocks b WHERE b.generator = ${key} AND ${within('b.height')}
    AND ${heightGroup('b.height')} BETWEEN ${heightGroup(first)} AND ${heightGroup(last)}
)`;
};

/** No row if the block at $1 is no longer $2: at any later head, what is said up to it is the same. */
const IS_BELOW_HEAD = 'EXISTS (SELECT FROM blocks WHERE blocks.height = $1 AND blocks.id = $2)';

const IS_CHANGE = '(c.amount <> 0 OR c.fee <> 0)';

const sumOf = (condition: string): string => `coalesce(sum(c.amount + c.fee) FILTER (WHERE ${condition}), 0)`;

/**
 * JSON of the ends of a statement: `opening` and `closing` as text, null if there is no such account; `entries`, how many
 * there are; `lowestHead`, up to which they never change. $1, $2: the head; $3: the address; $4, $5: the first and the last height.
 */
export const SELECT_STATEMENT_ENDS = `${changes('$4::integer', '(SELECT height FROM head)')}
SELECT json_build_object(
  'opening', (who.balance - s.after - s.within)::text, 'closing', (who.balance - s.after)::text,
  'entries', s.entries, 'lowestHead', (SELECT ${LASTING_HEIGHT} FROM head)
) AS json
FROM head h
CROSS JOIN (
  SELECT ${sumOf('c.height > $5::integer')} AS after, ${sumOf('c.height <= $5::integer')} AS within,
    count(*) FILTER (WHERE c.height <= $5::integer AND ${IS_CHANGE}) AS entries
  FROM changes c
) s
LEFT JOIN who ON true
WHERE ${IS_BELOW_HEAD}`;

/** JSON of the entries, a `StatementRow` each, in their order. $1 to $5: the same; $6: the opening balance. */
export const SELECT_STATEMENT = `${changes('$4::integer', '$5::integer')}
SELECT json_build_array(e.height, b."timestamp", ${hexText('e.id')}, e.kind, ${hexText(keyOfNumber('e.sender'))}, e.recipient,
  e.amount::text, e.fee::text, e.balance::text) AS json
FROM head h
CROSS JOIN (
  SELECT c.*, $6::bigint + sum(c.amount + c.fee) OVER (ORDER BY c.height, c.sequence, c.part ROWS UNBOUNDED PRECEDING) AS balance
  FROM changes c WHERE ${IS_CHANGE}
) e
CROSS JOIN LATERAL (SELECT "timestamp" FROM blocks WHERE height = e.height OFFSET 0) b
WHERE ${IS_BELOW_HEAD}
ORDER BY e.height, e.sequence, e.part`;
