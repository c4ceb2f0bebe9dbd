// The leaves of a certificate's tree are the accounts, so all indexes that made it have the same rows.

const LEAVES = `(
  SELECT string_to_array(leaf, E'\\t') AS leaf FROM certificate_pages, unnest(leaves) AS leaf WHERE height = $1
) certified`;

const ADDRESS = `leaf[1] COLLATE "C" AS address`;

/** The accounts as they were after the block $1. Only a username may have tabs. */
export const ACCOUNTS_AT = `
SELECT ${ADDRESS}, nullif(leaf[2], '') AS public_key, leaf[3]::bigint AS balance, leaf[4]::bigint AS locked, leaf[5]::bigint AS nonce,
  nullif(leaf[6], '') AS vote, nullif(array_to_string(leaf[7:], E'\\t'), '') AS username
FROM ${LEAVES}`;

/** Those who vote, and how much their votes weigh. */
export const VOTES_AT = `
SELECT ${ADDRESS}, leaf[6] AS delegate_public_key, d.username AS delegate, leaf[3]::bigint + leaf[4]::bigint AS weight
FROM ${LEAVES} JOIN delegates d ON d.public_key = decode(leaf[6], 'hex') AND d.registered_height <= $1`;
