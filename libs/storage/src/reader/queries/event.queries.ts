import type { NamedQuery } from './named-query.js';

/** $1: the first sequence number. */
export const SELECT_EVENTS: NamedQuery = {
  name: 'events',
  text: `SELECT sequence, kind, data::text AS data FROM events WHERE sequence >= $1 ORDER BY sequence`,
};
