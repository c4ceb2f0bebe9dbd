export { unfinishedBytes } from './archive/archive-file.js';
export { gzipMember } from './archive/gzip-member.js';
export type { BlockSegment, BlockSource } from './block-source.js';
export type { Verification } from './checks/block-checker.js';
export type { DelegatesSource, NodeVoter } from './core-api/delegates-source.js';
export {
  createBlockSource,
  openDelegatesSource,
  type BlockSourceOptions,
  type SourceEvents,
} from './create-block-source.js';
export type { SourcePause } from './core-api/node-http-options.js';
export type { SourceChange } from './failover/failover-source.js';
export { NodeProtocolError, NodeUnavailableError, type UnavailableKind } from './errors/node-errors.js';
export { loadNetwork } from './network/load-network.js';
export { probeSources } from './probe/probe-sources.js';
export type { SourceReport } from './probe/source-report.js';
