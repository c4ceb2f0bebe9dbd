/**
 * For connections to PostgreSQL whose statements are short, as options of `pg`: a server that hangs, a lock that is not
 * given back or a peer that is gone without a word holds nothing up for longer. In ms; the server's own limits come first.
 */
export const connectionLimits = {
  connectionTimeoutMillis: 30_000,
  lock_timeout: 20_000,
  statement_timeout: 25_000,
  query_timeout: 30_000,
  keepAlive: true,
  keepAliveInitialDelayMillis: 5_000,
} as const;
