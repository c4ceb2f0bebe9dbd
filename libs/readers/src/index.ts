export { AccountsReader, type AccountRecord, type PlaceByBalance } from './accounts.reader.js';
export { BlocksReader } from './blocks.reader.js';
export type { ChainState, HeadRecord, NetworkRecord } from './chain-state.reader.js';
export { LIST_CONNECTIONS, ListPool } from './core-v1/list-pool.js';
export { NodeAccountsReader, streamNodeAccounts } from './core-v1/node-accounts.reader.js';
export { NodeBlockListReader, type BlockFilter } from './core-v1/node-block-list.reader.js';
export { NodeBlocksReader } from './core-v1/node-blocks.reader.js';
export {
  NodeDelegatesReader,
  streamNodeVoters,
  type NodeDelegateSort,
  type NodeDirection,
} from './core-v1/node-delegates.reader.js';
export type { NodeTransactionRow } from './core-v1/node-transaction.js';
export { NodeTransactionsReader, type TransactionFilter } from './core-v1/node-transactions.reader.js';
export { QueryTooLongError } from './core-v1/query-too-long.error.js';
export { DatabaseUnavailableError } from './database-unavailable.error.js';
export { DelegatesReader, streamVoters, type ForgedTotals } from './delegates.reader.js';
export { EventsReader, type ChainEvent } from './events.reader.js';
export { HeadPassedError } from './head-passed.error.js';
export { HeadWatcher } from './head-watcher.js';
export { ABOVE_ALL_HEIGHTS, HistoryAccountsReader, type PastAccount } from './history-accounts.reader.js';
export type { DelegateName, FoundAt } from './history-at-head.js';
export { HistoryDelegatesReader, streamPastDelegates, streamPastVoters } from './history-delegates.reader.js';
export { NoHistoryError } from './no-history.error.js';
export { PayoutsReader } from './payouts.reader.js';
export { RankedDelegatesReader } from './ranked-delegates.reader.js';
export { readerDataSourceOptions } from './reader-options.js';
export { patientPool, type ReaderPool } from './reader-pool.js';
export { RoundsReader } from './rounds.reader.js';
export { RowStreams } from './row-streams.js';
export { StatusReader, type RoundState } from './status.reader.js';
export {
  TransactionsReader,
  type PlaceInChain,
  type TransactionRecord,
  type TransactionsPage,
} from './transactions.reader.js';
