export { startIndexer, type OpenSource, type RunningIndexer } from './indexer.js';
export { indexerSettings, type IndexerSettings } from './indexer.config.js';
