import type { Exceptions } from './exceptions.js';
import type { Milestone } from './milestones.js';

/** One chain of the family: what its blocks are checked against and what `autoconfigure` tells of it. */
export interface Network {
  readonly name: string;
  /** SHA-256 in hex; the genesis block's payload hash. */
  readonly nethash: string;
  /** The first byte of an address (23 for ARK mainnet). */
  readonly pubKeyHash: number;
  readonly token: string;
  readonly symbol: string;
  readonly explorer: string;
  /** As configured: each one holds only what changes; `MilestoneSchedule` merges them. */
  readonly milestones: readonly Milestone[];
  readonly exceptions: Exceptions;
}
