import pg, { type Pool, type PoolConfig } from 'pg';

/**
 * A pool that survives lost connections. An idle one is told to `onIdleLost`. One in use fails its statement: pg also
 * emits that error, and without a listener it would end the process.
 */
export const openPool = (options: PoolConfig, onIdleLost: (error: Error) => void): Pool =>
  new pg.Pool(options).on('error', onIdleLost).on('connect', (client) => client.on('error', () => undefined));
