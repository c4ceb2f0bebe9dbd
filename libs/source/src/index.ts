export type { BlockSource } from './block-source.js';
export { NodeProtocolError, NodeUnavailableError, type UnavailableKind } from './errors/node-errors.js';
export { parseLosslessJson } from './json/lossless-json.js';
export { loadNetwork } from './network/load-network.js';
