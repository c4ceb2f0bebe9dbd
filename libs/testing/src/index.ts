export { randomChain, type RandomChain, type RandomChainOptions } from './chains/random-chain.js';
export { Random } from './chains/random.js';
export { findViolations } from './invariants.js';
export { snapshotTables, type TablesSnapshot } from './tables.js';
export { createEmptyDatabase, createTestDatabase, type TestDatabase } from './database/test-database.js';
export { redisUrl } from './redis-url.js';
