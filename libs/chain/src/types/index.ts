import { CORE_TYPE_GROUP, MAGISTRATE_TYPE_GROUP, TransactionType } from '../transactions/transaction.js';
import type { TypeDefinition } from './definition.js';
import { delegateRegistration } from './delegate-registration.js';
import { delegateResignation } from './delegate-resignation.js';
import { htlcClaim } from './htlc-claim.js';
import { htlcLock } from './htlc-lock.js';
import { htlcRefund } from './htlc-refund.js';
import { ipfs } from './ipfs.js';
import {
  bridgechainRegistration,
  bridgechainResignation,
  bridgechainUpdate,
} from './magistrate/bridgechain.js';
import { businessRegistration, businessResignation, businessUpdate } from './magistrate/business.js';
import { entity } from './magistrate/entity.js';
import { multiPayment } from './multi-payment.js';
import { multiSignature } from './multi-signature.js';
import { secondSignature } from './second-signature.js';
import { transfer } from './transfer.js';
import { vote } from './vote.js';

/** Type group 1. */
const CORE: Readonly<Record<TransactionType, TypeDefinition>> = {
  [TransactionType.Transfer]: transfer,
  [TransactionType.SecondSignature]: secondSignature,
  [TransactionType.DelegateRegistration]: delegateRegistration,
  [TransactionType.Vote]: vote,
  [TransactionType.MultiSignature]: multiSignature,
  [TransactionType.Ipfs]: ipfs,
  [TransactionType.MultiPayment]: multiPayment,
  [TransactionType.DelegateResignation]: delegateResignation,
  [TransactionType.HtlcLock]: htlcLock,
  [TransactionType.HtlcClaim]: htlcClaim,
  [TransactionType.HtlcRefund]: htlcRefund,
};

/** Type group 2, by type (core-magistrate-crypto 3.9). */
const MAGISTRATE: readonly TypeDefinition[] = [
  businessRegistration,
  businessResignation,
  businessUpdate,
  bridgechainRegistration,
  bridgechainResignation,
  bridgechainUpdate,
  entity,
];

/** All types that Core 3.9 has. The ids of others cannot be recomputed, because the form of their bytes is unknown. */
export const GROUPS: Readonly<Record<number, readonly TypeDefinition[]>> = {
  [CORE_TYPE_GROUP]: Object.values(CORE),
  [MAGISTRATE_TYPE_GROUP]: MAGISTRATE,
};

export interface KnownType {
  readonly typeGroup: number;
  readonly type: number;
}

export const KNOWN_TYPES: readonly KnownType[] = [CORE_TYPE_GROUP, MAGISTRATE_TYPE_GROUP].flatMap(
  (typeGroup) => GROUPS[typeGroup]!.map((_, type) => ({ typeGroup, type })),
);
