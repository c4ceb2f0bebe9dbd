/**
 * Options of `pg`, in ms, for connections that run short statements only: they limit the wait for a server that
 * hangs, a lock that is not released and a peer that disappeared. The server cancels a statement before the client
 * gives up.
 */
export const connectionLimits = {
  connectionTimeoutMillis: 30_000,
  lock_timeout: 20_000,
  statement_timeout: 25_000,
  query_timeout: 30_000,
  keepAlive: true,
  keepAliveInitialDelayMillis: 5_000,
} as const;
