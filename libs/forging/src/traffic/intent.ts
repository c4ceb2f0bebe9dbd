import type { TransactionAsset } from '@roundhouse/chain';

/** A planned transaction, before it has a nonce, signatures and an id. */
export interface Intent {
  /** Address. */
  readonly sender: string;
  /** (Default: 2, with a nonce) */
  readonly version?: 1;
  readonly type: number;
  /** (Default: 1, the protocol's own) */
  readonly typeGroup?: number;
  /** Arktoshi. (Default: 0) */
  readonly amount?: bigint;
  /** Arktoshi. */
  readonly fee: bigint;
  readonly recipientId?: string;
  readonly vendorField?: string;
  readonly asset?: TransactionAsset;
}
