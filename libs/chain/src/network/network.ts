import type { Exceptions } from './exceptions.js';
import type { Milestone } from './chain-constants.js';

/** A type of transactions that only this chain's Core has. */
export interface CustomType {
  readonly typeGroup: number;
  readonly type: number;
  /** `transfer`: its amount goes to its recipient. `fee`: only the fee leaves its sender. */
  readonly moves: 'fee' | 'transfer';
}

/** The configuration of one chain: the rules for its blocks, and what `autoconfigure` returns. */
export interface Network {
  readonly name: string;
  /** SHA-256 in hex: the payload hash of the genesis block. */
  readonly nethash: string;
  /** The first byte of an address (23 for ARK mainnet). */
  readonly pubKeyHash: number;
  readonly token: string;
  readonly symbol: string;
  readonly explorer: string;
  /** All that is configured about the network itself, these included: nodes tell it to wallets. */
  readonly settings: Readonly<Record<string, unknown>>;
  /** As configured: each one holds only the changed keys; `MilestoneSchedule` merges them. */
  readonly milestones: readonly Milestone[];
  readonly exceptions: Exceptions;
  /** Types of transactions that Core does not have, and what they do besides costing a fee. (Default: none) */
  readonly customTypes?: readonly CustomType[];
}
