/** The index keeps no history, so it cannot answer about a height below its head. */
export class NoHistoryError extends Error {
  readonly code = 'NO_HISTORY';

  constructor() {
    super('This index keeps no history; set HISTORY=full for its indexer and run "indexer rebuild".');
    this.name = 'NoHistoryError';
  }
}
