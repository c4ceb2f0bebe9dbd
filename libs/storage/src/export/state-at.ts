import { ACCOUNTS_BY_IMAGES, hexText } from '@roundhouse/entities/sql';

/** The accounts as they were after the block $1, to which undoing could go back. A delegate's name never changes. */
export const ACCOUNTS_AT = `
SELECT state.address, ${hexText('state.public_key')} AS public_key, balance, locked, nonce::bigint AS nonce, ${hexText('vote')} AS vote, username
FROM ${ACCOUNTS_BY_IMAGES} AS state LEFT JOIN delegates d ON d.address = state.address AND d.registered_height <= $1`;

/** Those who vote, and how much their votes weigh. */
export const VOTES_AT = `
SELECT state.address, ${hexText('vote')} AS delegate_public_key, d.username AS delegate, balance + locked AS weight
FROM ${ACCOUNTS_BY_IMAGES} AS state JOIN delegates d ON d.public_key = state.vote`;
