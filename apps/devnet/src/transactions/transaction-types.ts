import { CORE_TYPE_GROUP, TransactionType } from '@roundhouse/chain';
import type { Payload } from './payload.js';
import { delegateRegistration } from './payloads/delegate-registration.js';
import { delegateResignation } from './payloads/delegate-resignation.js';
import { entity } from './payloads/entity.js';
import { foreign } from './payloads/foreign.js';
import { htlcClaim } from './payloads/htlc-claim.js';
import { htlcLock } from './payloads/htlc-lock.js';
import { htlcRefund } from './payloads/htlc-refund.js';
import { ipfs } from './payloads/ipfs.js';
import { multiPayment } from './payloads/multi-payment.js';
import { multiSignature } from './payloads/multi-signature.js';
import { secondSignature } from './payloads/second-signature.js';
import { transfer } from './payloads/transfer.js';
import { vote } from './payloads/vote.js';

export const MAGISTRATE_TYPE_GROUP = 2;
export const ENTITY_TYPE = 6;
/** A type group that no other program knows. */
export const FOREIGN_TYPE_GROUP = 1001;
export const FOREIGN_TYPE = 7;

const key = (typeGroup: number, type: number): string => `${typeGroup}/${type}`;
const core = (type: number): string => key(CORE_TYPE_GROUP, type);

const payloads: ReadonlyMap<string, Payload> = new Map([
  [core(TransactionType.Transfer), transfer],
  [core(TransactionType.SecondSignature), secondSignature],
  [core(TransactionType.DelegateRegistration), delegateRegistration],
  [core(TransactionType.Vote), vote],
  [core(TransactionType.MultiSignature), multiSignature],
  [core(TransactionType.Ipfs), ipfs],
  [core(TransactionType.MultiPayment), multiPayment],
  [core(TransactionType.DelegateResignation), delegateResignation],
  [core(TransactionType.HtlcLock), htlcLock],
  [core(TransactionType.HtlcClaim), htlcClaim],
  [core(TransactionType.HtlcRefund), htlcRefund],
  [key(MAGISTRATE_TYPE_GROUP, ENTITY_TYPE), entity],
  [key(FOREIGN_TYPE_GROUP, FOREIGN_TYPE), foreign],
]);

/** Throws if the devnet does not support this type. */
export const payloadOf = (typeGroup: number, type: number): Payload => {
  const payload = payloads.get(key(typeGroup, type));
  if (!payload)
    throw new TypeError(`This chain has no transactions of type group ${typeGroup}, type ${type}.`);
  return payload;
};
