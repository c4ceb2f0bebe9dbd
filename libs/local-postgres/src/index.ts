export { openLocalPostgres } from './open-local-postgres.js';
export type { FolderLock } from './folder-lock.js';
export { folderOwner, LOCK_FILES, lockFolder } from './folder-lock.js';
export { FolderInUseError, LocalPostgresError } from './local-postgres.error.js';
export type { LocalPostgres, LocalPostgresOptions } from './start-local-postgres.js';
export { freePort, freePorts } from './free-ports.js';
export { startLocalPostgres, withClient, withDatabase } from './start-local-postgres.js';
export { processStart } from './process-identity.js';
export { waitUntil } from './wait-until.js';
export { appMain, AppProcess, runApp, type AppName, type LogLine } from './app-process.js';
export {
  cpuSecondsOf,
  LocalProcess,
  statusOf,
  type Ended,
  type LocalProcessOptions,
} from './local-process.js';
export { stopRequest } from './stop-request.js';
