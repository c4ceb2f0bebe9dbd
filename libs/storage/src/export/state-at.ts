import { hexText } from '@roundhouse/entities/sql';

const COLUMNS = 'address, public_key, balance, locked, nonce, vote';

/** The accounts as they were after the block $1, to which undoing could go back: the oldest image above it, or else the row. */
const STATE = `(
  SELECT ${COLUMNS} FROM accounts WHERE NOT EXISTS (
    SELECT FROM undo_accounts AS undo WHERE undo.address = accounts.address AND undo.height > $1)
  UNION ALL
  SELECT ${COLUMNS} FROM (
    SELECT DISTINCT ON (address) * FROM undo_accounts WHERE height > $1 ORDER BY address, height) AS oldest
  WHERE existed)`;

/** A delegate's name never changes. */
export const ACCOUNTS_AT = `
SELECT state.address, ${hexText('state.public_key')} AS public_key, balance, locked, nonce::bigint AS nonce, ${hexText('vote')} AS vote, username
FROM ${STATE} AS state LEFT JOIN delegates d ON d.address = state.address AND d.registered_height <= $1`;

/** Those who vote, and how much their votes weigh. */
export const VOTES_AT = `
SELECT state.address, ${hexText('vote')} AS delegate_public_key, d.username AS delegate, balance + locked AS weight
FROM ${STATE} AS state JOIN delegates d ON d.public_key = state.vote`;
