export {
  AccountEntity,
  BlockEntity,
  DelegateEntity,
  entities,
  HeadEntity,
  NetworkEntity,
  PublicKeyEntity,
  RoundEntity,
  SourceStatusEntity,
} from './tables/index.js';
export { isBehindPooler } from './behind-pooler.js';
export { migrate } from './migrate.js';
export { SET_SESSION, sessionOptions, sessionProblem } from './session.js';
export {
  NOT_MIGRATED,
  readMigrationNames,
  schemaState,
  schemaStateOf,
  type SchemaState,
} from './schema-state.js';
export { ensureApiRole } from './roles/ensure-api-role.js';
export { ensureIndexerRole } from './roles/ensure-indexer-role.js';
