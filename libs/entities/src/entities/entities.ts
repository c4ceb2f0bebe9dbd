import { AccountEntity } from './account.entity.js';
import { BlockEntity } from './block.entity.js';
import { DelegateEntity } from './delegate.entity.js';
import { EventEntity } from './event.entity.js';
import { HeadEntity } from './head.entity.js';
import { LockEntity } from './lock.entity.js';
import { NetworkEntity } from './network.entity.js';
import { RefusedBlockEntity } from './refused-block.entity.js';
import { RoundDigestEntity } from './round-digest.entity.js';
import { RoundEntity } from './round.entity.js';
import { SourceStatusEntity } from './source-status.entity.js';
import { StagedRangeEntity } from './staged-range.entity.js';
import { StateSumsEntity } from './state-sums.entity.js';
import { TransactionEntity } from './transaction.entity.js';
import { UndoAccountEntity } from './undo-account.entity.js';
import { UndoDelegateEntity } from './undo-delegate.entity.js';
import { UndoLockEntity } from './undo-lock.entity.js';

/** Every table of the index. */
export const entities = [
  AccountEntity,
  BlockEntity,
  DelegateEntity,
  EventEntity,
  HeadEntity,
  LockEntity,
  NetworkEntity,
  RefusedBlockEntity,
  RoundDigestEntity,
  RoundEntity,
  SourceStatusEntity,
  StagedRangeEntity,
  StateSumsEntity,
  TransactionEntity,
  UndoAccountEntity,
  UndoDelegateEntity,
  UndoLockEntity,
];
