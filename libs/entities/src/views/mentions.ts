import { hexText } from '../sql/table-sql.js';

// An index can hold what these give, because a number keeps its text as long as a row has it: so an `OR` of a sender and a
// recipient is found, and the planner knows how often each occurs. The text has to be stored before the rows with its number.

export const GENERATOR = 'roundhouse.key_of(b.generator)';
export const SENDER = 'roundhouse.key_of(t.sender)';
export const RECIPIENT = 'roundhouse.address_of(t.recipient)';

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
