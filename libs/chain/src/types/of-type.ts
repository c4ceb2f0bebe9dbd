import { otherOf } from '../fields/asset-fields.js';
import { isAbsent, objectOf, within, type JsonObject } from '../fields/fields.js';
import type { Network } from '../network/network.js';
import {
  CORE_TYPE_GROUP,
  TransactionType,
  type Transaction,
  type TransactionAsset,
} from '../transactions/transaction.js';
import type { Effect, Payload, Touched, TypeDefinition } from './definition.js';
import { GROUPS, type KnownType } from './index.js';
import { applyUnknown, movesUnknown } from './unknown.js';

/** Everything about a transaction's type; undefined if it is unknown. */
export const typeOf = ({ typeGroup, type }: KnownType): TypeDefinition | undefined =>
  GROUPS[typeGroup]?.[type];

/** Whether the transaction's amount leaves its sender. */
export const movesAmount = (transaction: KnownType, network: Network): boolean =>
  typeOf(transaction)?.hasAmount ?? movesUnknown(transaction, network);

export const isKnownType = (typeGroup: number, type: number): boolean =>
  typeOf({ typeGroup, type }) !== undefined;

/** Whether such a transaction signs an expiration: a transfer of version 2. */
export const signsExpiration = (version: number, typeGroup: number, type: number): boolean =>
  version > 1 && typeGroup === CORE_TYPE_GROUP && type === TransactionType.Transfer;

/** Whether such a transaction can have an expiration: if it signs one, or if nobody knows what it signs. */
export const mayExpire = (version: number, typeGroup: number, type: number): boolean =>
  signsExpiration(version, typeGroup, type) || (version > 1 && !isKnownType(typeGroup, type));

export const effectOf = (transaction: Transaction): Effect => typeOf(transaction)?.apply ?? applyUnknown;

export const touchedBy = (transaction: Transaction): Touched =>
  (transaction.asset && typeOf(transaction)?.touches?.(transaction.asset)) ?? {};

/**
 * The asset of a transaction of Core's JSON; null for types that have none. The asset of an unknown type is kept as it
 * is. Throws `ShapeError`.
 */
export const decodeAsset = (
  transaction: JsonObject,
  typeGroup: number,
  type: number,
): TransactionAsset | null => {
  const definition = typeOf({ typeGroup, type });
  if (definition && !definition.readAsset) return null;
  const isOther = typeGroup !== CORE_TYPE_GROUP || !definition;
  if (isOther && isAbsent(transaction, 'asset')) return null;
  const asset = objectOf(transaction['asset'], 'asset');
  return isOther ? otherOf(asset) : within('asset', () => definition.readAsset!(asset));
};

/** What Core's JSON has of an asset. */
export const rawAsset = (type: KnownType, asset: TransactionAsset): unknown =>
  typeOf(type)?.writeAsset?.(asset) ?? asset.other ?? asset;

/** The form in which a transaction is signed. */
export interface SignedForm extends KnownType {
  readonly version: number;
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
  if (!hasNonce && (typeGroup !== CORE_TYPE_GROUP || !isOfOldForm(type))) return undefined;
  const definition = typeOf({ typeGroup, type });
  return version === 1 ? (definition?.v1 ?? definition) : definition;
};

/** What version 1 signs of a type: whether its recipient, and the part of its asset. */
export const v1Of = (type: number): Pick<TypeDefinition, 'isWithoutRecipientInV1' | 'writeV1'> =>
  GROUPS[CORE_TYPE_GROUP]![type]!;
