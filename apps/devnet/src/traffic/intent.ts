import type { RawAsset } from '../transactions/raw-transaction.js';

/** What somebody means to do; it becomes a transaction with a nonce, signatures and an id. */
export interface Intent {
  /** Address. */
  readonly sender: string;
  readonly type: number;
  /** The protocol's own where it is absent. */
  readonly typeGroup?: number;
  /** Arktoshi; none where it is absent. */
  readonly amount?: bigint;
  /** Arktoshi. */
  readonly fee: bigint;
  readonly recipientId?: string;
  readonly vendorField?: string;
  readonly asset?: RawAsset;
}
