/** Core 3.x's form of a transaction: amounts are decimal text, keys and hashes hex. */
export interface RawPayment {
  readonly amount: string;
  readonly recipientId: string;
}

export interface LockExpiration {
  /** 1: `value` is seconds since the epoch; 2: `value` is a height. */
  readonly type: number;
  readonly value: number;
}

export interface RawAsset {
  readonly signature?: { readonly publicKey: string };
  readonly delegate?: { readonly username: string };
  readonly votes?: readonly string[];
  readonly multiSignature?: { readonly publicKeys: readonly string[]; readonly min: number };
  readonly ipfs?: string;
  readonly payments?: readonly RawPayment[];
  readonly lock?: { readonly secretHash: string; readonly expiration: LockExpiration };
  readonly claim?: { readonly lockTransactionId: string; readonly unlockSecret: string };
  readonly refund?: { readonly lockTransactionId: string };
  /** The parts of an entity (type group 2, type 6). */
  readonly type?: number;
  readonly subType?: number;
  readonly action?: number;
  readonly registrationId?: string;
  readonly data?: { readonly name?: string; readonly ipfsData?: string };
}

/** A transaction before it has signatures and an id. */
export interface UnsignedTransaction {
  /** 1 in the genesis block, otherwise 2. */
  readonly version: number;
  readonly network: number;
  readonly typeGroup: number;
  readonly type: number;
  /** Version 1 only. */
  readonly timestamp?: number;
  readonly nonce: string;
  readonly senderPublicKey: string;
  readonly fee: string;
  readonly amount: string;
  readonly vendorField?: string;
  readonly expiration?: number;
  readonly recipientId?: string;
  readonly asset?: RawAsset;
}

export interface Signatures {
  readonly signature?: string;
  readonly secondSignature?: string;
  /**
   * Signatures of the members of a multi-signature account: one byte for the member's index, then its Schnorr
   * signature.
   */
  readonly signatures?: readonly string[];
}

export interface RawTransaction extends UnsignedTransaction, Signatures {
  readonly id: string;
}

/** A transaction with its place in the chain. */
export interface ForgedTransaction extends RawTransaction {
  readonly blockId: string;
  readonly blockHeight: number;
  /** From 0. */
  readonly sequence: number;
}
