import type { ClientBase, Pool } from 'pg';

/** What runs statements: a connection, or any of a pool's. */
export type Queryable = Pool | ClientBase;
