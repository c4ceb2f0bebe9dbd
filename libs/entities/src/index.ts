export { entities } from './tables/index.js';
export { AccountEntity } from './tables/account.entity.js';
export { BlockEntity } from './tables/block.entity.js';
export { DelegateEntity } from './tables/delegate.entity.js';
export { HeadEntity } from './tables/head.entity.js';
export { NetworkEntity } from './tables/network.entity.js';
export { PublicKeyEntity } from './tables/public-key.entity.js';
export { RoundEntity } from './tables/round.entity.js';
export { SourceStatusEntity } from './tables/source-status.entity.js';
export { isBehindPooler } from './behind-pooler.js';
export { buildMissingIndex, buildMissingIndexes, readMissingIndexes } from './list-indexes.js';
export { migrate } from './migrate.js';
export { SET_SESSION, sessionOptions, sessionProblem } from './session.js';
export {
  NOT_MIGRATED,
  readMigrationNames,
  schemaState,
  schemaStateOf,
  type SchemaState,
} from './schema-state.js';
export { ensureApiRole } from './database-roles/ensure-api-role.js';
export { ensureIndexerRole } from './database-roles/ensure-indexer-role.js';
export { ensureSqlRole, sqlOfRole } from './database-roles/ensure-sql-role.js';
export { createSqlViews, dropSqlViews, hasSqlViews } from './views/sql-views.js';
