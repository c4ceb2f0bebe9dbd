import type { BlockHeader, BlockRef } from '../blocks/block.js';
import type { DayStatistics } from './day-counter.js';

/** An account on the chain. Amounts are in arktoshi. The genesis sender's balance is negative; that is correct. */
export interface Account {
  readonly address: string;
  /** Counts the accounts in the order in which blocks first touch them, from 1; 0 before that. */
  number: number;
  /** Null until the account sends its first transaction or forges its first block. */
  publicKey: string | null;
  /** The amount that the account can spend. */
  balance: bigint;
  /** The amount in open HTLC locks: counts for the vote, cannot be spent. */
  locked: bigint;
  /** The public key of the delegate that the account votes for. */
  vote: string | null;
  /** How many transactions the account has sent. A transaction that signs a nonce signs this number, including itself. */
  nonce: number;
  /** The key of the account's second signatures. */
  secondPublicKey: string | null;
  /** The members of a multi-signature account, as `textOfMembers` writes them. */
  multiSignature: string | null;
  /** What rarer transaction types have left, as `textOfAttributes` writes it; null if nothing. */
  attributes: string | null;
}

/** An account that no block has touched. */
export const newAccount = (address: string): Account => ({
  address,
  number: 0,
  publicKey: null,
  balance: 0n,
  locked: 0n,
  vote: null,
  nonce: 0,
  secondPublicKey: null,
  multiSignature: null,
  attributes: null,
});

/** What a registration fixes for good. */
export interface Registration {
  /** Counts the registrations of the chain, from 1: two indexes of one chain give a delegate the same number. */
  readonly number: number;
  readonly publicKey: string;
  readonly address: string;
  readonly username: string;
  /** The place of the registration: its height, and its position in the block. */
  readonly registeredHeight: number;
  readonly registeredSequence: number;
}

/** The initial values of a delegate's fields that blocks change. All of these fields are part of the digests. */
export const NEW_DELEGATE = {
  /** Sum of balance + locked over the accounts that vote for it. */
  weight: 0n,
  /** The rank with which it resigned, that of the last round end; 0 if it has not, or had none. */
  lastRank: 0,
  isResigned: false,
  producedBlocks: 0,
  /** The rounds in which it was active and forged nothing. */
  missedBlocks: 0,
  forgedFees: 0n,
  forgedRewards: 0n,
};

type DelegateValues = typeof NEW_DELEGATE;
export type DelegateValue = keyof DelegateValues;

export interface Delegate extends Registration, DelegateValues {}

/** The figures of a delegate that every index and every node of the chain computes, so they can be compared. */
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

/**
 * A claim of a lock by somebody else than its recipient, as far as a running node miscounts it: the amount goes from
 * the delegate of the recipient to that of the claimer (protocol.md, "Votes").
 */
export interface ClaimDrift {
  /** Counts such claims of the chain, from 1. */
  readonly number: number;
  readonly height: number;
  /** The number of the delegate that loses the amount; null if the recipient voted for none. */
  readonly loser: number | null;
  /** The number of the delegate that gets it; null if the claimer voted for none. */
  readonly winner: number | null;
  readonly amount: bigint;
}

/** Which forgers a round may have, and where their order begins. */
export interface ForgerList {
  /** Public keys; `forgerAt` says who has a slot. */
  readonly forgingOrder: readonly string[];
  /** The slot at which the first of the order forges: 0, except by Core 3's rule after `activeDelegates` changed. */
  readonly firstSlot: number;
  /** The weights by which they were chosen, in arktoshi, in the same order; null in an index that an earlier version began. */
  readonly weights: readonly bigint[] | null;
  /** How many of the first `ClaimDrift`s the weights leave out, because the network's nodes have restarted since. */
  readonly forgottenClaims: number;
}

/** A round and its forgers. */
export interface ForgingRound extends ForgerList {
  readonly round: number;
  readonly firstHeight: number;
}

/** What decides between the lists of forgers that a round may have. */
export type RoundBlock = Pick<BlockHeader, 'height' | 'id' | 'timestamp' | 'generatorPublicKey'>;

/** The delegates by rank after the block at `height`, which fixed the forgers of the next round. */
export interface Ranking {
  readonly height: number;
  /** The numbers of all that had not resigned: the largest weight first, equal weights by public key. */
  readonly delegates: readonly number[];
}

/** A round as the tables hold it. */
export interface NumberedRound extends Omit<ForgingRound, 'forgingOrder'> {
  /** The numbers of the delegates. */
  readonly forgingOrder: readonly number[];
}

/** Another list of forgers that a round may have had when it began. */
export interface RoundCandidate extends NumberedRound {
  /** From 1, in the order in which they are tried. */
  readonly place: number;
}

/** The block at `height` showed that its round is forged by this list. */
export interface RoundRevision extends Omit<NumberedRound, 'firstHeight'> {
  readonly height: number;
}

/** A block whose forger has its slot in no list. It was accepted all the same (FORGERS=active). */
export interface MisplacedBlock {
  readonly height: number;
  readonly round: number;
}

export interface LedgerHead extends BlockRef {
  /** Seconds since the epoch. */
  readonly timestamp: number;
  /** The genesis amount plus all rewards since, in arktoshi. */
  readonly supply: bigint;
}

/** A row as it was before the block at `height`; `existed` is false if the block created the row. */
export type BeforeImage<Row> = Readonly<Row> & { readonly height: number; readonly existed: boolean };

/** Everything that undoing one block restores. */
export interface BlockUndo {
  readonly height: number;
  readonly accounts: BeforeImage<Account>[];
  readonly delegates: BeforeImage<Delegate>[];
  readonly locks: BeforeImage<Lock>[];
  /** At most one. */
  readonly days: BeforeImage<DayStatistics>[];
}
