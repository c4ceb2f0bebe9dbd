import { sha256As } from '../crypto/crypto.js';
import type { Transaction } from '../transactions/transaction.js';

export interface BlockRef {
  readonly height: number;
  /** Decimal text below 2^64, or 64 hexadecimal characters where the milestone says `idFullSha256`. */
  readonly id: string;
}

/** A block's header in domain types: amounts in arktoshi, keys and hashes in lower-case hex. */
export interface BlockHeader extends BlockRef {
  readonly version: number;
  /** Seconds since the chain's epoch. */
  readonly timestamp: number;
  /** The id of the block before; `"0"` for the genesis block. */
  readonly previousBlock: string;
  readonly numberOfTransactions: number;
  readonly totalAmount: bigint;
  readonly totalFee: bigint;
  readonly reward: bigint;
  readonly payloadLength: number;
  readonly payloadHash: string;
  readonly generatorPublicKey: string;
  readonly blockSignature: string;
}

/** Of a block without transactions. */
export const EMPTY_PAYLOAD_HASH = sha256As('hex', '');

export interface Block extends BlockHeader {
  /** In payload order. */
  readonly transactions: readonly Transaction[];
}

/** The value of `previousBlock` if there is no previous block. */
export const NO_BLOCK_ID = '0';
