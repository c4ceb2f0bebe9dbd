import type { Exceptions } from './exceptions.js';
import type { Milestone } from './milestones.js';

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
}
