export { AccountResponseDto, AccountsResponseDto, type AccountDto } from './answers/accounts.dto.js';
export {
  BlockResponseDto,
  BlocksResponseDto,
  EpochResponseDto,
  FeeResponseDto,
  FeesResponseDto,
  HeightResponseDto,
  MilestoneResponseDto,
  NethashResponseDto,
  RewardResponseDto,
  StatusResponseDto,
  SupplyResponseDto,
} from './answers/blocks.dto.js';
export {
  DelegateCountResponseDto,
  DelegateFeeResponseDto,
  DelegateSearchResponseDto,
  DelegatesResponseDto,
  ForgedResponseDto,
  NextForgersResponseDto,
  VotersResponseDto,
} from './answers/delegates.dto.js';
export { ErrorResponseDto } from './answers/error.dto.js';
export type { DtoClass } from './answers/fields.js';
export {
  AccountChangesResponseDto,
  DelegateRoundsResponseDto,
  PastAccountResponseDto,
  PastDelegatesResponseDto,
  PastSupplyResponseDto,
  PastVotersResponseDto,
  PayoutsResponseDto,
} from './answers/history.dto.js';
export {
  AutoconfigureResponseDto,
  LoaderStatusResponseDto,
  SyncStatusResponseDto,
} from './answers/loader.dto.js';
export {
  ChainStatusResponseDto,
  StatusDelegatesResponseDto,
  type PastRoundDto,
  type SlotDto,
} from './answers/chain-status.dto.js';
export { SearchResponseDto } from './answers/search.dto.js';
export {
  TransactionResponseDto,
  TransactionsResponseDto,
  type TransactionDto,
} from './answers/transactions.dto.js';
export { ReadyJson, writeAnswer } from './answers/write-answer.js';
export { BlockQueryDto, BlocksQueryDto } from './requests/blocks.query.dto.js';
export { writeAccountChangeCursor, writeAccountCursor, writeTransactionCursor } from './requests/cursor.js';
export {
  DelegateQueryDto,
  DelegateSearchQueryDto,
  DelegatesQueryDto,
  ForgedQueryDto,
  NextForgersQueryDto,
  StatusDelegatesQueryDto,
  VotersQueryDto,
} from './requests/delegates.query.dto.js';
export { EventsQueryDto } from './requests/events.query.dto.js';
export {
  AccountPathDto,
  AccountsQueryDto,
  AccountTransactionsQueryDto,
  BlockPathDto,
  BlockTransactionsQueryDto,
  SearchQueryDto,
  TransactionPathDto,
  TransactionsQueryDto,
} from './requests/explorer.query.dto.js';
export {
  AccountChangesQueryDto,
  DelegateRoundsQueryDto,
  HeightQueryDto,
  PastAccountQueryDto,
  PastVotersQueryDto,
  PayoutsQueryDto,
} from './requests/history.query.dto.js';
export { InvalidRequestError } from './requests/invalid-request.error.js';
export type { DelegateColumn, DelegateOrder } from './requests/order.js';
export {
  assertLimit,
  isAddress,
  isPublicKey,
  parseBlockChoice,
  type BlockChoice,
} from './requests/parameter-types.js';
export { describePath, describeQuery, parseQuery, type RawQuery } from './requests/parameters.js';
