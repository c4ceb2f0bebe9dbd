import { hexText } from '../sql/table-sql.js';

// An index can hold what these give, because a number keeps its text as long as a row has it: so an `OR` of a sender and a
// recipient is found, and the planner knows how often each occurs. The text has to be stored before the rows with its number.

export const GENERATOR = 'roundhouse.key_of(b.generator)';
export const SENDER = 'roundhouse.key_of(t.sender)';
/** Addresses compare as those of wallets. */
export const RECIPIENT = '(roundhouse.address_of(t.recipient) COLLATE "C")';

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

/** Names an index that lacks texts: it was built before they were there, as `pg_restore` with several jobs may do. */
export const SELECT_BLIND = `
SELECT name FROM (VALUES
  ('ix_sql_blocks__generator', EXISTS (SELECT FROM blocks b WHERE ${GENERATOR}::varchar(66) IS NULL)),
  ('ix_sql_transactions__sender', EXISTS (SELECT FROM transactions t WHERE ${SENDER}::varchar(66) IS NULL)),
  ('ix_sql_transactions__recipient', EXISTS (SELECT FROM transactions t WHERE ${RECIPIENT}::varchar(36) IS NULL AND t.recipient IS NOT NULL))
) AS looked (name, is_blind) WHERE is_blind`;
