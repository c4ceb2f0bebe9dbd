export { randomChain, type RandomChain, type RandomChainOptions } from './chains/random-chain.js';
export { withExpirations } from './chains/with-expirations.js';
export { aTransaction } from './chains/a-transaction.js';
export { withId } from './chains/with-id.js';
export { makeChain, makerOf, makeSigner, SMALL, TIMING, type MadeChain } from './chains/forged-chain.js';
export {
  ACCEPTED_LIES,
  ALL_LIES,
  FIXED_LIES,
  INVENTED_LIES,
  isAcceptedLie,
  isLie,
  LIES,
  makeBlocks,
  ODDITIES,
  SeededRandom,
  type AcceptedLieName,
  type AnyLieName,
  type InventedLieName,
  type LieName,
} from '@roundhouse/forging';
export { findViolations } from './invariants.js';
export { snapshotTables, type TablesSnapshot } from './tables.js';
export { IN_THIS_DATABASE } from './database/in-this-database.js';
export {
  createEmptyDatabase,
  createFilledDatabase,
  createIndexerDatabase,
  copyTestDatabase,
  createTestDatabase,
  type TestDatabase,
} from './database/test-database.js';
export { redisUrl } from './redis-url.js';
export { readRecording, recordingFile, type RecordedChain, type Recording } from './recordings.js';
export { MAGISTRATE_TYPES } from '@roundhouse/core-node';
export { CoreApiStandIn, type MisbehaviourOrder } from './nodes/core-api-stand-in.js';
export { fixedAnswers, repeatedAnswers } from './nodes/fixed-answers.js';
export {
  NODE_LINES,
  type ArchiveBlock,
  type NodeBlock,
  type NodeConfiguration,
  type NodeLineName,
} from '@roundhouse/core-node';
export { loadCoreDatabase, loadCoreLines, replaceCoreHead } from './nodes/core-database.js';
export { recordedBlocks, recordedConfiguration, recordedNodeFork } from './nodes/recorded-node-chain.js';
export { findProgram } from './servers/find-program.js';
export { startPostgres } from './servers/test-postgres.js';
export { startReplicatedPostgres, type ReplicatedPostgres } from './servers/replicated-postgres.js';
export { pgbouncerProgram, startTestPgbouncer, type TestPgbouncer } from './servers/test-pgbouncer.js';
export { startTlsTestServers, type TlsTestServers } from './servers/tls-servers.js';
export {
  BAD_CASES,
  goodCases,
  type BadCase,
  type ContractSubject,
  type GoodCase,
} from './contract/contract-cases.js';
export { faultsOfRefusal, REFUSED_BY_FRONT } from './contract/raw-cases.js';
export { TestAuthority } from './certificates/test-authority.js';
export { TraceCollector, type CollectedSpan } from './servers/trace-collector.js';
export { eventually } from './eventually.js';
export { untilServed } from './until-served.js';
export { AppProcess, freePort, freePorts, type Ended, type LogLine } from '@roundhouse/local-postgres';
export { LaunchedStack, makeStackFolder, stackPorts, type StackPorts } from './launched-stack.js';
export { EventClient } from './servers/event-client.js';
export { BlockedPipe } from './servers/blocked-pipe.js';
export { bodyOf, rawRequest } from './servers/raw-request.js';
export { TcpProxy } from './servers/tcp-proxy.js';
export { findRedis, startTestRedis, type TestRedis } from './servers/test-redis.js';
export { CoreV2Document, type CoreV2Operation } from './core-v2-document.js';
