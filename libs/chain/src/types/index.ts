import { otherOf } from '../fields/asset-fields.js';
import { isAbsent, objectOf, within, type JsonObject } from '../fields/fields.js';
import type { Network } from '../network/network.js';
import {
  CORE_TYPE_GROUP,
  MAGISTRATE_TYPE_GROUP,
  TransactionType,
  type Transaction,
  type TransactionAsset,
} from '../transactions/transaction.js';
import type { Effect, Payload, Touched, TypeDefinition } from './definition.js';
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
import { applyUnknown, movesUnknown } from './unknown.js';
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
const GROUPS: Readonly<Record<number, readonly TypeDefinition[]>> = {
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

const definitionOf = ({ typeGroup, type }: KnownType): TypeDefinition | undefined =>
  GROUPS[typeGroup]?.[type];

/** Everything about a transaction's type; undefined if it is unknown. */
export const typeOf: (transaction: KnownType) => TypeDefinition | undefined = definitionOf;

/** Whether the transaction's amount leaves its sender. */
export const movesAmount = (transaction: KnownType, network: Network): boolean =>
  definitionOf(transaction)?.hasAmount ?? movesUnknown(transaction, network);

export const isKnownType = (typeGroup: number, type: number): boolean =>
  definitionOf({ typeGroup, type }) !== undefined;

/** Whether such a transaction signs an expiration: a transfer of version 2. */
export const signsExpiration = (version: number, typeGroup: number, type: number): boolean =>
  version > 1 && typeGroup === CORE_TYPE_GROUP && type === TransactionType.Transfer;

/** Whether such a transaction can have an expiration: if it signs one, or if nobody knows what it signs. */
export const mayExpire = (version: number, typeGroup: number, type: number): boolean =>
  signsExpiration(version, typeGroup, type) || (version > 1 && !isKnownType(typeGroup, type));

export const effectOf = (transaction: Transaction): Effect =>
  definitionOf(transaction)?.apply ?? applyUnknown;

export const touchedBy = (transaction: Transaction): Touched =>
  (transaction.asset && definitionOf(transaction)?.touches?.(transaction.asset)) ?? {};

/**
 * The asset of a transaction of Core's JSON; null for types that have none. The asset of an unknown type is kept as it
 * is. Throws `ShapeError`.
 */
export const decodeAsset = (
  transaction: JsonObject,
  typeGroup: number,
  type: number,
): TransactionAsset | null => {
  const definition = definitionOf({ typeGroup, type });
  if (definition && !definition.readAsset) return null;
  if (typeGroup !== CORE_TYPE_GROUP || !definition) {
    if (isAbsent(transaction, 'asset')) return null;
    return otherOf(objectOf(transaction['asset'], 'asset'));
  }
  const asset = objectOf(transaction['asset'], 'asset');
  return within('asset', () => definition.readAsset!(asset));
};

/** What Core's JSON has of an asset. */
export const rawAsset = (type: KnownType, asset: TransactionAsset): unknown =>
  definitionOf(type)?.writeAsset?.(asset) ?? asset.other ?? asset;

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
  const definition = definitionOf({ typeGroup, type });
  return version === 1 ? (definition?.v1 ?? definition) : definition;
};

/** What version 1 signs of a type: whether its recipient, and the part of its asset. */
export const v1Of = (type: number): Pick<TypeDefinition, 'isWithoutRecipientInV1' | 'writeV1'> =>
  CORE[type as TransactionType];
