import type { BlockRef } from '../blocks/block.js';

/** An account as the chain sees it. Amounts in arktoshi; the genesis sender's balance is negative, and that is right. */
export interface Account {
  readonly address: string;
  /** Known from the first outgoing transaction, or the first block forged. */
  publicKey: string | null;
  /** Spendable. */
  balance: bigint;
  /** In open HTLC locks; counts for the vote, cannot be spent. */
  locked: bigint;
  /** The public key of the delegate that the account votes for. */
  vote: string | null;
}

export interface Delegate {
  readonly publicKey: string;
  readonly address: string;
  readonly username: string;
  /** Where its registration stands: the height, and the place within the block. */
  readonly registeredHeight: number;
  readonly registeredSequence: number;
  /** Sum of balance + locked over the accounts that vote for it. */
  weight: bigint;
  isResigned: boolean;
  producedBlocks: number;
  /** Rounds in which it was on the active list and forged nothing. */
  missedBlocks: number;
  forgedFees: bigint;
  forgedRewards: bigint;
}

/** What of a delegate anybody else who follows the chain has computed, too: what indexes and nodes are compared by. */
export type DelegateFigures = Pick<
  Delegate,
  'username' | 'publicKey' | 'weight' | 'producedBlocks' | 'forgedFees' | 'forgedRewards'
>;

/** An open HTLC lock. */
export interface Lock {
  readonly transactionId: string;
  readonly senderAddress: string;
  readonly recipientAddress: string;
  readonly amount: bigint;
}

/** A round whose forgers are fixed. */
export interface ForgingRound {
  readonly round: number;
  readonly firstHeight: number;
  /** Public keys; the forger of slot s is `forgingOrder[s mod length]`. */
  readonly forgingOrder: readonly string[];
}

export interface LedgerHead extends BlockRef {
  /** Seconds since the epoch. */
  readonly timestamp: number;
  /** The genesis amount and all rewards since, in arktoshi. */
  readonly supply: bigint;
}

/** A row as it was before a block; `existed` is false for one that the block made. */
export type BeforeImage<Row> = Readonly<Row> & { readonly existed: boolean };

/** All that undoing one block must restore. */
export interface BlockUndo {
  readonly height: number;
  readonly accounts: BeforeImage<Account>[];
  readonly delegates: BeforeImage<Delegate>[];
  readonly locks: BeforeImage<Lock>[];
}
