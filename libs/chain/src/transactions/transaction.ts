export interface Payment {
  readonly recipientId: string;
  /** Arktoshi. */
  readonly amount: bigint;
}

/** The parts of a transaction's asset that affect accounts. For types that need none the asset is null. */
export interface TransactionAsset {
  /** Type 2. */
  readonly username?: string;
  /** Type 3: `+publicKey` or `-publicKey`, in the order in which they apply. */
  readonly votes?: readonly string[];
  /** Type 6. */
  readonly payments?: readonly Payment[];
  /** Types 9 and 10: the id of the lock that is claimed or refunded. */
  readonly lockTransactionId?: string;
}

export interface Transaction {
  /** SHA-256 in hex. */
  readonly id: string;
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

/**
 * The types whose asset affects accounts, with the part that does. All code that reads or writes assets covers these
 * types.
 */
export const ASSET_PARTS = {
  [TransactionType.DelegateRegistration]: 'username',
  [TransactionType.Vote]: 'votes',
  [TransactionType.MultiPayment]: 'payments',
  [TransactionType.HtlcClaim]: 'lockTransactionId',
  [TransactionType.HtlcRefund]: 'lockTransactionId',
} as const satisfies Partial<Record<TransactionType, keyof TransactionAsset>>;

export type TypeWithAsset = keyof typeof ASSET_PARTS;

export const isTypeWithAsset = (type: number): type is TypeWithAsset => type in ASSET_PARTS;

/** The type group of the protocol's built-in transactions. */
export const CORE_TYPE_GROUP = 1;
