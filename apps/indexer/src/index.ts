export { ApplyService } from './apply/apply.service.js';
export { indexerSettings } from './indexer.config.js';
export { startIndexer, type RunningIndexer } from './indexer.js';
