export interface Payment {
  readonly recipientId: string;
  /** Arktoshi. */
  readonly amount: bigint;
}

/** The members of a multi-signature account. */
export interface MultiSignature {
  /** How many of the members must sign. */
  readonly min: number;
  readonly publicKeys: readonly string[];
}

/** The form of version 1. */
export interface LegacyMultiSignature {
  readonly min: number;
  /** Hours. */
  readonly lifetime: number;
  /** `+publicKey` each. */
  readonly keysgroup: readonly string[];
}

export interface HtlcLock {
  /** SHA-256 of the secret, in hex. */
  readonly secretHash: string;
  readonly expiration: {
    /** 1: `value` is seconds since the epoch; 2: `value` is a height. */
    readonly type: number;
    readonly value: number;
  };
}

/** A transaction's asset. Types that have none have null instead. */
export interface TransactionAsset {
  /** Type 1. */
  readonly secondPublicKey?: string;
  /** Type 2. */
  readonly username?: string;
  /** Type 3: `+publicKey` or `-publicKey`, in the order in which they apply. */
  readonly votes?: readonly string[];
  /** Type 4. */
  readonly multiSignature?: MultiSignature;
  /** Type 4 of version 1. */
  readonly multiSignatureLegacy?: LegacyMultiSignature;
  /** Type 5: a multihash in base58. */
  readonly ipfs?: string;
  /** Type 6. */
  readonly payments?: readonly Payment[];
  /** Type 8. */
  readonly lock?: HtlcLock;
  /** Types 9 and 10: the id of the lock that is claimed or refunded. */
  readonly lockTransactionId?: string;
  /** Type 9: in hex. */
  readonly unlockSecret?: string;
  /** Other types: the JSON of the source. The order of its keys matters: the ports of a bridgechain are signed in order. */
  readonly other?: Readonly<Record<string, unknown>>;
}

export interface Transaction {
  /** SHA-256 in hex. */
  readonly id: string;
  /** As Core numbers types since 2.6; see `TransactionType`. */
  readonly type: number;
  /** 1 if the source does not say. */
  readonly typeGroup: number;
  readonly senderPublicKey: string;
  readonly recipientId: string | null;
  /** Arktoshi. */
  readonly amount: bigint;
  /** Arktoshi. */
  readonly fee: bigint;
  readonly asset: TransactionAsset | null;
  readonly version: number;
  /** The network's `pubKeyHash`; null if the source does not say. */
  readonly network: number | null;
  /** Seconds since the epoch, as the sender signed them; null if the transaction has a nonce. */
  readonly timestamp: number | null;
  /** Null in version 1, and in version 2 of Core 2.4 and 2.5: they have a timestamp. */
  readonly nonce: bigint | null;
  /** A height, or 0. Of known types, only transfers of version 2 sign it; all others have 0. */
  readonly expiration: number;
  /** The signed bytes, in hex. They need not be UTF-8. */
  readonly vendorField: string | null;
  /** In hex, like the next two fields. Null if only members of a multi-signature account signed. */
  readonly signature: string | null;
  readonly secondSignature: string | null;
  /**
   * Version 2 has one text per member: one byte for the member's index, then the signature. Version 1 has all
   * signatures in one text, which the id does not cover.
   */
  readonly signatures: readonly string[] | null;
}

/** Type group 1 (protocol.md, "Transactions"). */
export const TransactionType = {
  Transfer: 0,
  SecondSignature: 1,
  DelegateRegistration: 2,
  Vote: 3,
  MultiSignature: 4,
  Ipfs: 5,
  MultiPayment: 6,
  DelegateResignation: 7,
  HtlcLock: 8,
  HtlcClaim: 9,
  HtlcRefund: 10,
} as const;

export type TransactionType = (typeof TransactionType)[keyof typeof TransactionType];

/** The type group of the protocol's built-in transactions. */
export const CORE_TYPE_GROUP = 1;

/** The type group of Core 3's businesses, bridgechains and entities. */
export const MAGISTRATE_TYPE_GROUP = 2;
