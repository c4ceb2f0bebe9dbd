import { hexText } from '../sql/table-sql.js';
import { timeAt } from './block-at.js';

// An index can hold what these give, because a number keeps its text as long as a row has it: so an `OR` of a sender and a
// recipient is found, and the planner knows how often each occurs. The text has to be stored before the rows with its number.

/** SQL of the public key with this number. */
export const keyOf = (number: string): string => `roundhouse.key_of(${number})::varchar(66)`;

/** SQL of the address with this number. Addresses compare as those of wallets. */
export const addressOf = (number: string): string =>
  `(roundhouse.address_of(${number}) COLLATE "C")::varchar(36)`;

const LOOKS_UP = 'RETURNS text LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE SECURITY DEFINER COST 20';

export const MENTION_FUNCTIONS = `
CREATE OR REPLACE FUNCTION roundhouse.key_of(mentioned integer) ${LOOKS_UP}
BEGIN ATOMIC
  SELECT ${hexText('value')} FROM roundhouse.public_keys WHERE number = mentioned;
END;
CREATE OR REPLACE FUNCTION roundhouse.address_of(mentioned integer) ${LOOKS_UP}
BEGIN ATOMIC
  SELECT value FROM roundhouse.addresses WHERE number = mentioned;
END;`;

const blindIf = (index: string, rows: string): string =>
  `SELECT '${index}' AS name WHERE to_regclass('roundhouse.${index}') IS NOT NULL AND EXISTS (SELECT FROM ${rows})`;

/** Tables become visible as a whole: if the oldest transaction is found by its time, all are. */
const timelessIf = (index: string, first: string, condition: string): string => `
SELECT '${index}' FROM (
  SELECT ${first} AS found FROM transactions WHERE ${condition} ORDER BY block_height, sequence LIMIT 1
) oldest
WHERE to_regclass('roundhouse.${index}') IS NOT NULL
  AND NOT EXISTS (SELECT FROM transactions WHERE ${first} = oldest.found AND ${timeAt('block_height')} >= 0 AND (${condition}))`;

/** As all lists, without transfers, which are most. */
export const IS_NO_TRANSFER = 'type::smallint <> 0 OR type_group <> 1';

/** Names the indexes that lack what they look up: they were built before it was there, as `pg_restore` with several jobs may do. */
export const SELECT_BLIND = [
  blindIf('ix_sql_blocks__generator_height', `blocks WHERE ${keyOf('generator')} IS NULL`),
  blindIf('ix_sql_transactions__time', `transactions WHERE ${timeAt('block_height')} IS NULL`),
  blindIf('ix_sql_transactions__sender_time', `transactions WHERE ${keyOf('sender')} IS NULL`),
  timelessIf('ix_sql_transactions__sender_time', keyOf('sender'), 'sender IS NOT NULL'),
  blindIf(
    'ix_sql_transactions__recipient_time',
    `transactions WHERE ${addressOf('recipient')} IS NULL AND recipient IS NOT NULL`,
  ),
  timelessIf('ix_sql_transactions__recipient_time', addressOf('recipient'), 'recipient IS NOT NULL'),
  timelessIf('ix_sql_transactions__type_time', 'type::smallint', IS_NO_TRANSFER),
].join('\nUNION ALL ');
