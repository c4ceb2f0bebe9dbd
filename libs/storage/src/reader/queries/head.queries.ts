import type { NamedQuery } from './named-query.js';

// xmin changes with every write of the network row: the configuration itself is read only then.
export const SELECT_CHAIN_STATE: NamedQuery = {
  name: 'chain-state',
  text: `
SELECT h.height, h.block_id, h."timestamp", h.supply, h.delegate_count,
       (extract(epoch FROM h.indexed_at) * 1000000)::bigint AS indexed_at_us, h.revision,
       pg_is_in_recovery() AS is_replica, s.height AS source_height,
       s.check_interval_ms, extract(epoch FROM clock_timestamp() - s.checked_at)::float8 AS source_age_seconds,
       n.xmin::text AS network_version
FROM (VALUES (1)) AS one (id)
LEFT JOIN head h ON h.id = one.id
LEFT JOIN source_status s ON s.id = one.id
LEFT JOIN network n ON n.id = one.id`,
};

export const SELECT_NETWORK: NamedQuery = {
  name: 'network',
  text: 'SELECT configuration::text AS configuration, xmin::text AS version FROM network',
};
