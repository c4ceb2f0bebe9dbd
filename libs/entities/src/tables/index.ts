import { getMetadataArgsStorage } from 'typeorm';
import { tableOf, type Table } from '../table-of.js';
import type { UndoTable } from '../undo-of.js';
import { AccountEntity, UndoAccountEntity } from './account.entity.js';
import { AddressEntity } from './address.entity.js';
import { BlockEntity } from './block.entity.js';
import { CertificateEntity, CertificatePageEntity } from './certificate.entity.js';
import { ClaimDriftEntity } from './claim-drift.entity.js';
import { DailyFeeEntity } from './daily-fee.entity.js';
import { DailyStatisticsEntity, UndoDailyStatisticsEntity } from './daily-statistics.entity.js';
import { DelegateEntity, UndoDelegateEntity } from './delegate.entity.js';
import { EventEntity } from './event.entity.js';
import { HeadEntity } from './head.entity.js';
import { HistoryBalanceEntity } from './history-balance.entity.js';
import { HistoryDelegateEntity } from './history-delegate.entity.js';
import { HistoryRankingEntity } from './history-ranking.entity.js';
import { HistoryVoteEntity } from './history-vote.entity.js';
import { HistoryWeightsEntity } from './history-weights.entity.js';
import { LockEntity, UndoLockEntity } from './lock.entity.js';
import { MisplacedBlockEntity } from './misplaced-block.entity.js';
import { NetworkEntity } from './network.entity.js';
import { PaymentEntity } from './payment.entity.js';
import { PublicKeyEntity } from './public-key.entity.js';
import { RankingEntity } from './ranking.entity.js';
import { RefusedBlockEntity } from './refused-block.entity.js';
import { RoundEntity } from './round.entity.js';
import { RoundCandidateEntity } from './round-candidate.entity.js';
import { RoundDigestEntity } from './round-digest.entity.js';
import { RoundRevisionEntity } from './round-revision.entity.js';
import { SourceStatusEntity } from './source-status.entity.js';
import { StagedRangeEntity } from './staged-range.entity.js';
import { StateSumsEntity } from './state-sums.entity.js';
import { TransactionEntity } from './transaction.entity.js';
import { WebhookEntity } from './webhook.entity.js';
import { WebhookEventEntity } from './webhook-event.entity.js';

export { bytesOf, hexOfForm, type Form } from '../values.js';
export { chainColumns, changingColumns, columnFor, keyOf, type Column, type Table } from '../table-of.js';
export type { UndoTable } from '../undo-of.js';
export { heightGroup } from './block.entity.js';
export type { BlockEntity, DailyFeeEntity, PaymentEntity, PublicKeyEntity, TransactionEntity };

// The tables of the entities. COPY, unnest, undo, verify, rebuild and digests read them.

export const network = tableOf(NetworkEntity);
export const head = tableOf(HeadEntity);
export const publicKeys = tableOf(PublicKeyEntity);
export const addresses = tableOf(AddressEntity);
export const blocks = tableOf(BlockEntity);
export const transactions = tableOf(TransactionEntity);
export const payments = tableOf(PaymentEntity);
export const dailyFees = tableOf(DailyFeeEntity);
export const dailyStatistics = tableOf(DailyStatisticsEntity);
export const accounts = tableOf(AccountEntity);
export const delegates = tableOf(DelegateEntity);
export const locks = tableOf(LockEntity);
export const claimDrifts = tableOf(ClaimDriftEntity);
export const rounds = tableOf(RoundEntity);
export const roundCandidates = tableOf(RoundCandidateEntity);
export const roundRevisions = tableOf(RoundRevisionEntity);
export const misplacedBlocks = tableOf(MisplacedBlockEntity);
export const rankings = tableOf(RankingEntity);
export const historyBalances = tableOf(HistoryBalanceEntity);
export const historyVotes = tableOf(HistoryVoteEntity);
export const historyDelegates = tableOf(HistoryDelegateEntity);
export const historyWeights = tableOf(HistoryWeightsEntity);
export const historyRankings = tableOf(HistoryRankingEntity);
export const roundDigests = tableOf(RoundDigestEntity);
export const stateSums = tableOf(StateSumsEntity);
export const certificates = tableOf(CertificateEntity);
export const certificatePages = tableOf(CertificatePageEntity);
export const sourceStatus = tableOf(SourceStatusEntity);
export const stagedRanges = tableOf(StagedRangeEntity);
export const refusedBlocks = tableOf(RefusedBlockEntity);
export const events = tableOf(EventEntity);
export const webhooks = tableOf(WebhookEntity);
export const webhookEvents = tableOf(WebhookEventEntity);

export const undoAccounts: UndoTable<AccountEntity> = { ...tableOf(UndoAccountEntity), of: accounts };
export const undoDelegates: UndoTable<DelegateEntity> = { ...tableOf(UndoDelegateEntity), of: delegates };
export const undoLocks: UndoTable<LockEntity> = { ...tableOf(UndoLockEntity), of: locks };
export const undoDailyStatistics: UndoTable<DailyStatisticsEntity> = {
  ...tableOf(UndoDailyStatisticsEntity),
  of: dailyStatistics,
};

export const UNDO_TABLES: readonly UndoTable[] = [
  undoAccounts,
  undoDelegates,
  undoLocks,
  undoDailyStatistics,
];

export const HISTORY_TABLES: readonly Table[] = [
  historyBalances,
  historyVotes,
  historyDelegates,
  historyWeights,
  historyRankings,
];

/** What the ledger makes of the stored blocks. */
export const LEDGER_TABLES: readonly Table[] = [
  head,
  accounts,
  delegates,
  locks,
  claimDrifts,
  rounds,
  roundCandidates,
  roundRevisions,
  misplacedBlocks,
  rankings,
  dailyStatistics,
  ...UNDO_TABLES,
  roundDigests,
  stateSums,
];

/** What the stored blocks determine. */
export const DERIVED_TABLES: readonly Table[] = [payments, dailyFees, ...LEDGER_TABLES, ...HISTORY_TABLES];

/** What `indexer digest` covers, in this order. */
export const COMPARED_TABLES: readonly Table[] = [
  network,
  head,
  publicKeys,
  addresses,
  blocks,
  transactions,
  payments,
  dailyFees,
  accounts,
  delegates,
  locks,
  claimDrifts,
  rounds,
  roundRevisions,
  misplacedBlocks,
  dailyStatistics,
  ...HISTORY_TABLES,
];

export const TABLES: readonly Table[] = [
  network,
  publicKeys,
  addresses,
  blocks,
  transactions,
  ...DERIVED_TABLES,
  certificates,
  certificatePages,
  sourceStatus,
  stagedRanges,
  refusedBlocks,
  events,
  webhooks,
  webhookEvents,
];

/** Every entity. */
export const entities = getMetadataArgsStorage().tables.map(({ target }) => target);
