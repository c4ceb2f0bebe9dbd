import { CORE_TYPE_GROUP, TransactionType, type Transaction } from '../../transactions/transaction.js';
import { applyDelegateRegistration } from './delegate-registration.js';
import { applyDelegateResignation } from './delegate-resignation.js';
import type { Effect } from './effect.js';
import { applyHtlcClaim } from './htlc-claim.js';
import { applyHtlcLock } from './htlc-lock.js';
import { applyHtlcRefund } from './htlc-refund.js';
import { applyIpfs } from './ipfs.js';
import { applyMultiPayment } from './multi-payment.js';
import { applyMultiSignature } from './multi-signature.js';
import { applySecondSignature } from './second-signature.js';
import { applyTransfer } from './transfer.js';
import { applyUnknown } from './unknown.js';
import { applyVote } from './vote.js';

const CORE_EFFECTS: Readonly<Record<TransactionType, Effect>> = {
  [TransactionType.Transfer]: applyTransfer,
  [TransactionType.SecondSignature]: applySecondSignature,
  [TransactionType.DelegateRegistration]: applyDelegateRegistration,
  [TransactionType.Vote]: applyVote,
  [TransactionType.MultiSignature]: applyMultiSignature,
  [TransactionType.Ipfs]: applyIpfs,
  [TransactionType.MultiPayment]: applyMultiPayment,
  [TransactionType.DelegateResignation]: applyDelegateResignation,
  [TransactionType.HtlcLock]: applyHtlcLock,
  [TransactionType.HtlcClaim]: applyHtlcClaim,
  [TransactionType.HtlcRefund]: applyHtlcRefund,
};

export const effectOf = ({ typeGroup, type }: Transaction): Effect =>
  (typeGroup === CORE_TYPE_GROUP ? CORE_EFFECTS[type as TransactionType] : undefined) ?? applyUnknown;
