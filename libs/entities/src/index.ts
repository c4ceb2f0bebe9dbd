export {
  AccountEntity,
  AddressEntity,
  BlockEntity,
  DelegateEntity,
  entities,
  HeadEntity,
  NetworkEntity,
  PublicKeyEntity,
  RoundEntity,
  SourceStatusEntity,
  TransactionEntity,
} from './entities.js';
export { migrate } from './migrate.js';
export { OBSOLETE_MIGRATIONS } from './migrations/index.js';
export { readMigrationNames, schemaState, type SchemaState } from './schema-state.js';
export { ensureApiRole } from './roles/ensure-api-role.js';
export { ensureIndexerRole } from './roles/ensure-indexer-role.js';
