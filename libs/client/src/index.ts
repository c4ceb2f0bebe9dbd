export type { ClientOptions, RequestOptions } from './client-options.js';
export { RoundhouseClient, type StatementRange, type TransactionConditions } from './client.js';
export {
  ApiError,
  ForkError,
  NetworkError,
  RateLimitError,
  RoundhouseError,
  TimeoutError,
  UnexpectedAnswerError,
} from './errors.js';
export type { ChainEvent, ForkEvent, HeadEvent, ResetEvent, RoundEvent } from './events/chain-event.js';
export type { EventOptions } from './events/chain-events.js';
export type * from './generated/api.js';
export type * from './generated/core-v2.js';
export type { History, PayoutOptions } from './history.js';
export type { BlocksOptions } from './lists/blocks-from.js';
export { verifyProof } from './proof.js';
