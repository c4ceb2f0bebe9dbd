import type { ByteReader } from '../bytes/byte-reader.js';
import type { ByteWriter } from '../bytes/byte-writer.js';
import { InvalidBlockError } from '../errors/chain-error.js';
import type { JsonObject } from '../fields/fields.js';
import type { Ledger } from '../ledger/ledger.js';
import type { TrackedAccount } from '../ledger/tracked.js';
import type { ChainConstants } from '../network/chain-constants.js';
import type { RuleName } from '../rules/rules.js';
import type { Transaction, TransactionAsset } from '../transactions/transaction.js';

/** What the payload of a transaction is made of. */
export type PayloadFields = Pick<Transaction, 'amount' | 'expiration' | 'recipientId' | 'asset'>;

/** The type-specific part of a serialised transaction (AIP 11). */
export interface Payload {
  /** Whether the type signs each of these fields. If not, its transactions must not have the field. (Default: false) */
  readonly hasVendorField?: boolean;
  readonly hasAmount?: boolean;
  readonly hasRecipient?: boolean;
  /** Throws `UnserialisableError` if a field is missing or malformed. */
  write(this: void, writer: ByteWriter, fields: PayloadFields): void;
  /** Reads what `write` wrote. */
  read(this: void, reader: ByteReader): Partial<PayloadFields>;
}

/** The sender and the place of a transaction. Its fee is already paid. */
export interface EffectContext {
  readonly ledger: Ledger;
  readonly sender: TrackedAccount;
  readonly height: number;
  /** The position in the block, from 0. */
  readonly sequence: number;
}

/** Applies the effects of one transaction type, except the fee (protocol.md, "Transactions"). */
export type Effect = (transaction: Transaction, context: EffectContext) => void;

/** What an asset touches besides the accounts of sender and recipient. */
export interface Touched {
  readonly addresses?: readonly string[];
  readonly publicKeys?: readonly string[];
  /** Of the locks that are closed. */
  readonly lockIds?: readonly string[];
}

/** What the rules of types see of a `BlockCheck`. */
export interface TypeCheck {
  readonly ledger: Ledger;
  readonly height: number;
  readonly constants: ChainConstants;
  readonly constantsBelow: ChainConstants;
  isInForce(key: 'htlcEnabled' | 'aip36'): boolean;
  balance(transaction: Transaction, sender: TrackedAccount, cost: bigint): void;
  broken(rule: RuleName, problem: string, transaction?: Transaction, isDoubtful?: boolean): void;
}

/** Holds the rules of one transaction type against a transaction whose sender has not paid its fee yet. */
export type Check = (transaction: Transaction, sender: TrackedAccount, check: TypeCheck) => void;

/** Everything in which transaction types differ. */
export interface TypeDefinition extends Payload {
  /** Its form in version 1, if that is another one. */
  readonly v1?: Payload;
  /** Writes what the signed bytes of version 1 have of its asset. (Default: nothing) */
  readonly writeV1?: (writer: ByteWriter, asset: TransactionAsset | null) => void;
  /** Whether version 1 does not sign its recipient. (Default: false) */
  readonly isWithoutRecipientInV1?: boolean;
  /** Reads the asset of Core's JSON. Throws `ShapeError`. Absent: if a source returns an asset, it is ignored: it was not signed. */
  readonly readAsset?: (asset: JsonObject) => TransactionAsset;
  /** Writes it as Core's JSON. (Default: it has the same form there) */
  readonly writeAsset?: (asset: TransactionAsset) => unknown;
  /** (Default: nothing) */
  readonly touches?: (asset: TransactionAsset) => Touched;
  /** Whether it costs no fee. (Default: false) */
  readonly isFree?: boolean;
  /** Whether some version of Core did not verify second signatures of it. (Default: false) */
  readonly needsNoSecondSignature?: boolean;
  /** (Default: only the rules for all types) */
  readonly check?: Check;
  readonly apply: Effect;
}

/**
 * The part of the asset that an effect requires. Throws `InvalidBlockError` for the block at `height` if it is missing.
 */
export const assetOf = <K extends keyof TransactionAsset>(
  { id, type, asset }: Transaction,
  key: K,
  height: number,
): NonNullable<TransactionAsset[K]> => {
  const part = asset?.[key];
  if (part === undefined)
    throw new InvalidBlockError(height, `transaction ${id} of type ${type} has no "${key}" in its asset`);
  return part;
};

/** For a type whose payload has nothing. */
export const EMPTY: Payload = { write: () => undefined, read: () => ({}) };
