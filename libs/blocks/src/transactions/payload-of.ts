import { CORE_TYPE_GROUP, MAGISTRATE_TYPE_GROUP, TransactionType } from '@roundhouse/chain';
import type { Payload } from './payload.js';
import { CORE_PAYLOADS, legacyMultiSignature } from './payloads/core.js';
import { MAGISTRATE_PAYLOADS } from './payloads/magistrate.js';

/** The form in which a transaction is signed. */
export interface SignedForm {
  readonly version: number;
  readonly typeGroup: number;
  readonly type: number;
  readonly hasNonce: boolean;
}

/** Finds a payload; undefined for types that are unknown. */
export type FindPayload = (form: SignedForm) => Payload | undefined;

/**
 * The types that Core had before type groups and nonces. Multi-payments had another form then, which no node accepted.
 */
const isOfOldForm = (type: number): boolean =>
  type < TransactionType.MultiPayment || type === TransactionType.DelegateResignation;

/** The payload of a type that Core 2.4 to 3.9 know. */
export const payloadOf: FindPayload = ({ version, typeGroup, type, hasNonce }) => {
  if (typeGroup === MAGISTRATE_TYPE_GROUP) return hasNonce ? MAGISTRATE_PAYLOADS[type] : undefined;
  if (typeGroup !== CORE_TYPE_GROUP || !(hasNonce || isOfOldForm(type))) return undefined;
  if (version === 1 && type === TransactionType.MultiSignature) return legacyMultiSignature;
  return CORE_PAYLOADS[type as TransactionType];
};
