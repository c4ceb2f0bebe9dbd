import { AddressBook } from '../accounts/address.js';
import { attributesOf, textOfAttributes, type Attributes } from '../accounts/attributes.js';
import type { Block } from '../blocks/block.js';
import { roundDigest, RunningSums, type StateSums } from '../digest/round-digest.js';
import { InvalidBlockError, LedgerInvariantError } from '../errors/chain-error.js';
import { epochOf, MilestoneSchedule } from '../network/milestones.js';
import type { Network } from '../network/network.js';
import { heightsForSlots, slotOf } from '../rounds/rounds.js';
import type { HtlcLock } from '../transactions/transaction.js';
import { ClaimDrifts } from './claim-drifts.js';
import { DayCounter, type DayStatistics } from './day-counter.js';
import { type BlockRecords, type LedgerChanges, Journal } from './journal.js';
import {
  newAccount,
  type Account,
  type Delegate,
  type ForgerList,
  type ForgingRound,
  type LedgerHead,
  type Lock,
  type NumberedRound,
  type Registration,
  type RoundBlock,
} from './state.js';
import { TrackedAccount, TrackedDelegate } from './tracked.js';

type AccountTexts = Pick<Account, 'publicKey' | 'vote' | 'secondPublicKey' | 'multiSignature' | 'attributes'>;

/**
 * The working set that blocks are applied to: all delegates, and the accounts and open locks that the blocks touch.
 * Balances, weights and votes change only through its methods, so weights always match and each row's before-image is
 * taken once per block. Throws `InvalidBlockError` if a block contradicts the chain, and `LedgerInvariantError` if
 * the working set itself does. After an error the ledger is unusable: discard it and load a new one.
 */
export class Ledger {
  readonly milestones: MilestoneSchedule;
  readonly addresses: AddressBook;
  readonly accounts = new Map<string, TrackedAccount>();
  readonly delegates = new Map<string, TrackedDelegate>();
  /** All delegates, as sorted at the end of the last round. */
  readonly ranking: TrackedDelegate[] = [];
  /** The numbers of those that had not resigned then, by rank. */
  ranks: readonly number[] = [];
  readonly locks = new Map<string, Lock>();
  /** When and by which secret each lock of `locks` ends. */
  readonly lockTerms = new Map<string, HtlcLock>();
  head: LedgerHead | null = null;
  /** The round of the next block; null before the genesis block. */
  round: ForgingRound | null = null;
  /** The other lists of forgers that `round` may have, as they are tried. */
  candidates: readonly ForgerList[] = [];
  /** The blocks of `round` so far. */
  forged: RoundBlock[] = [];
  /** The heights of those whose forger has its slot in no list. */
  readonly misplaced = new Set<number>();
  /** What running nodes miscount. */
  claims = new ClaimDrifts();
  /** False in an index that an earlier version began: it has not counted the claims of its blocks. */
  knowsClaims = true;
  /** False in an index that an earlier version began: it lacks attributes and the weights of forgers of its first blocks. */
  keepsDetails = true;
  /** False in an index that an earlier version began: it has no statistics of its first days. */
  keepsStatistics = true;
  /**
   * Timestamps of the blocks around each change of the block time; slots are counted from them. Empty if it never
   * changed.
   */
  readonly timestamps = new Map<number, number>();
  /** Unknown transaction types, as `typeGroup/type` → how many were applied. */
  readonly unknownTypes = new Map<string, number>();
  /** Weights of votes for keys that are not registered (yet). A registration takes its votes from here. */
  readonly orphanWeights = new Map<string, bigint>();
  /** The number of accounts of the chain; the working set may hold fewer. */
  accountCount = 0;
  /** Whether blocks add to the history; it never changes in the middle of a chain. */
  keepsHistory = false;

  private readonly slotHeights: ReadonlySet<number>;
  private readonly usernames = new Set<string>();
  private readonly journal = new Journal();
  private readonly days: DayCounter;
  /** Locks closed since the locks were last dropped from memory. A closed lock never opens again. */
  private closedLocks = new Set<string>();
  private sums = new RunningSums();
  private isComplete: boolean;

  /**
   * `isComplete`: the working set holds all accounts and all open locks, so an unknown address is a new account.
   * Otherwise an unknown address is an error: it should have been loaded. The ledger is no longer complete once it
   * drops an account or a lock.
   */
  constructor(
    readonly network: Network,
    isComplete: boolean,
  ) {
    this.isComplete = isComplete;
    this.milestones = new MilestoneSchedule(network.milestones);
    this.addresses = new AddressBook(network.pubKeyHash);
    this.days = new DayCounter(epochOf(this.milestones.at(1)), this.addresses);
    this.slotHeights = new Set(heightsForSlots(this.milestones, Number.MAX_SAFE_INTEGER));
  }

  /** A ledger before the genesis block, complete in memory. */
  static empty(network: Network): Ledger {
    return new Ledger(network, true);
  }

  /** Whether the working set is complete, so that nothing has to be loaded. */
  get holdsAll(): boolean {
    return this.isComplete;
  }

  get supply(): bigint {
    return this.head?.supply ?? 0n;
  }

  loadAccount(account: Account, exists: boolean): void {
    const vote = account.vote === null ? null : this.knownKey(account.vote);
    this.accounts.set(account.address, new TrackedAccount({ ...account, vote }, exists));
  }

  loadDelegate(delegate: Delegate): void {
    this.addDelegate(new TrackedDelegate(delegate, true));
  }

  /** Continues from the sums at the head. */
  loadSums(sums: StateSums): void {
    this.sums = new RunningSums(sums);
    this.journal.knowSumsAt(this.head?.height ?? 0);
  }

  /** Continues the statistics of the head's day. `active`: the addresses that were active on it. */
  loadDay(day: DayStatistics, active: Iterable<string>): void {
    this.days.load(day, active);
  }

  /** Begins a block. `keepsUndo`: whether to keep its before-images. */
  begin(height: number, keepsUndo: boolean): void {
    if (keepsUndo) this.recordSums();
    this.journal.begin(height, keepsUndo, this.keepsHistory);
  }

  /** Ends the block. */
  end(): void {
    this.journal.end(this.delegates.values());
  }

  /** Returns the account at `address`, recorded as touched by this block. */
  account(address: string): TrackedAccount {
    let account = this.accounts.get(address);
    if (account === undefined) {
      if (!this.isComplete) {
        throw new LedgerInvariantError(
          `Account ${address} is touched at height ${this.journal.height} but was not loaded.`,
        );
      }
      account = new TrackedAccount(newAccount(address), false);
      this.accounts.set(address, account);
    }
    if (account.touchedAt !== this.journal.height) this.touchAccount(account);
    return account;
  }

  /** Returns the account of a public key, and stores the key in it. */
  signer(publicKey: string): TrackedAccount {
    const account = this.account(this.addresses.addressOf(publicKey));
    if (account.publicKey !== publicKey) this.redirect(account, { publicKey });
    return account;
  }

  /** Counts a transaction that the account sends. */
  countSent(account: TrackedAccount): void {
    account.nonce += 1;
    this.sums.addNonce(account, 1n);
  }

  setSecondPublicKey(account: TrackedAccount, secondPublicKey: string): void {
    this.redirect(account, { secondPublicKey });
  }

  /** Sets the members, as `textOfMembers` writes them. */
  setMultiSignature(account: TrackedAccount, multiSignature: string): void {
    this.redirect(account, { multiSignature });
  }

  /** Changes what rarer transaction types have left at the account. `change` returns what it got if nothing changes. */
  amend(account: TrackedAccount, change: (attributes: Attributes) => Attributes): void {
    if (!this.keepsDetails) return;
    const known = attributesOf(account.attributes);
    const changed = change(known);
    if (changed !== known) this.redirect(account, { attributes: textOfAttributes(changed) });
  }

  /** Returns the delegate with this public key, recorded as touched by this block; null if nobody registered it. */
  findDelegate(publicKey: string): TrackedDelegate | null {
    const delegate = this.delegates.get(publicKey);
    if (delegate === undefined) return null;
    this.touchDelegate(delegate);
    return delegate;
  }

  /**
   * Adds a delegate and gives it the next number. Earlier votes for its key count from now on. Throws
   * `InvalidBlockError`.
   */
  register(registration: Omit<Registration, 'number'>): void {
    const { publicKey, username } = registration;
    if (this.delegates.has(publicKey)) {
      throw new InvalidBlockError(this.journal.height, `delegate ${publicKey} registers again`);
    }
    if (this.usernames.has(username)) {
      throw new InvalidBlockError(this.journal.height, `the username "${username}" is already taken`);
    }
    const weight = this.orphanWeights.get(publicKey) ?? 0n;
    this.orphanWeights.delete(publicKey);
    // Delegates are never removed, except when their registration is undone.
    const number = this.delegates.size + 1;
    const added = new TrackedDelegate({ ...registration, number, weight }, false);
    this.addDelegate(added);
    this.touchDelegate(added);
    this.sums.addDelegate(added);
  }

  /** How many delegates have not resigned. */
  countEligible(): number {
    return this.ranking.reduce((count, { isResigned }) => (isResigned ? count : count + 1), 0);
  }

  isUsernameTaken(username: string): boolean {
    return this.usernames.has(username);
  }

  resign(delegate: TrackedDelegate): void {
    if (delegate.isResigned) return;
    delegate.isResigned = true;
    delegate.lastRank = this.rankOf(delegate);
    this.sums.addValue(delegate, 'isResigned', 1n);
    if (delegate.lastRank > 0) this.sums.addValue(delegate, 'lastRank', BigInt(delegate.lastRank));
  }

  /** The place at the last round end, from 1; 0 if the delegate was not registered then, or had resigned. */
  rankOf({ number }: Delegate): number {
    return this.ranks.indexOf(number) + 1;
  }

  countForged(delegate: TrackedDelegate, fees: bigint, reward: bigint): void {
    delegate.producedBlocks += 1;
    delegate.forgedFees += fees;
    delegate.forgedRewards += reward;
    const { sums } = this;
    sums.addValue(delegate, 'producedBlocks', 1n);
    if (fees !== 0n) sums.addValue(delegate, 'forgedFees', fees);
    if (reward !== 0n) sums.addValue(delegate, 'forgedRewards', reward);
  }

  countMissed(delegate: TrackedDelegate): void {
    delegate.missedBlocks += 1;
    this.sums.addValue(delegate, 'missedBlocks', 1n);
  }

  /** Adds to an account's amounts, and to the weight of the delegate that it votes for. */
  move(account: TrackedAccount, balance: bigint, locked = 0n): void {
    const { sums } = this;
    account.balance += balance;
    sums.addBalance(account, balance);
    // Adding 0n would still allocate a new bigint.
    if (locked !== 0n) {
      account.locked += locked;
      sums.addLocked(account, locked);
    }
    if (account.vote !== null) this.weigh(account.vote, locked === 0n ? balance : balance + locked);
  }

  /** Moves the account's whole weight to another delegate, or to none. */
  setVote(account: TrackedAccount, vote: string | null): void {
    const weight = account.balance + account.locked;
    if (account.vote !== null) this.weigh(account.vote, -weight);
    this.redirect(account, { vote: vote === null ? null : this.knownKey(vote) });
    if (vote !== null) this.weigh(vote, weight);
  }

  openLock(lock: Lock, terms: HtlcLock): void {
    this.lockTerms.set(lock.transactionId, terms);
    this.journal.openLock(lock);
    this.sums.openLock(lock);
    this.locks.set(lock.transactionId, lock);
  }

  /** Removes an open lock after a claim or a refund. Throws `InvalidBlockError`. */
  closeLock(transactionId: string): Lock {
    const lock = this.locks.get(transactionId);
    if (lock === undefined) {
      throw new InvalidBlockError(
        this.journal.height,
        `lock ${transactionId} is claimed or refunded but is not open`,
      );
    }
    this.journal.closeLock(lock);
    this.sums.closeLock(lock);
    this.locks.delete(transactionId);
    this.lockTerms.delete(transactionId);
    // Also while the working set is complete: it may end to be so before the tables lack the lock.
    this.closedLocks.add(transactionId);
    return lock;
  }

  /**
   * A claim gave `amount` to an account that votes for `recipientVote`, and was sent by one that votes for
   * `claimerVote`: a running node adds it to the weight of the latter's delegate.
   */
  countClaim(amount: bigint, recipientVote: string | null, claimerVote: string | null): void {
    if (recipientVote === claimerVote || !this.knowsClaims) return;
    const { journal, claims, sums } = this;
    const numberOf = (vote: string | null): number | null =>
      vote === null ? null : (this.delegates.get(vote)?.number ?? null);
    const drift = {
      number: claims.count + 1,
      height: journal.height,
      amount,
      loser: numberOf(recipientVote),
      winner: numberOf(claimerVote),
    };
    claims.add(drift);
    sums.addClaim(drift);
    journal.miscountClaim(drift);
  }

  /** The weight by which a running node chooses forgers. */
  forgingWeight({ number, weight }: Delegate): bigint {
    return weight + this.claims.driftOf(number);
  }

  /** The slot of a block that is the next one, or below it and in its round. */
  slotOf({ height, timestamp }: Pick<RoundBlock, 'height' | 'timestamp'>): number {
    return slotOf(this.milestones, timestamp, height, (at) => {
      const known = this.timestamps.get(at);
      if (known === undefined) throw new LedgerInvariantError(`The timestamp of block ${at} was not loaded.`);
      return known;
    });
  }

  /** Moves the head. Keeps its timestamp if slots are counted from it. */
  moveHead(head: LedgerHead): void {
    this.head = head;
    if (this.slotHeights.has(head.height)) this.timestamps.set(head.height, head.timestamp);
  }

  /**
   * Makes `round` the round of the next block. `candidates`: the other lists of forgers that it may have. Call this when
   * the ranking is sorted.
   */
  startRound(round: ForgingRound, candidates: readonly ForgerList[]): void {
    this.round = round;
    this.candidates = candidates;
    this.forged = [];
    this.misplaced.clear();
    const ranks: number[] = [];
    for (const { isResigned, number } of this.ranking) if (!isResigned) ranks.push(number);
    this.ranks = ranks;
    this.journal.startRound(
      this.numbered(round),
      candidates.map((list, index) => ({ ...this.numbered({ ...round, ...list }), place: index + 1 })),
      this.ranks,
    );
  }

  /** The block at `height`, which is applied next, shows that `list` forges the round. */
  reviseRound(list: ForgerList, height: number): void {
    const { firstHeight: _firstHeight, ...revised } = this.numbered(
      (this.round = { ...this.round!, ...list }),
    );
    this.claims.forget(list.forgottenClaims);
    this.journal.reviseRound({ ...revised, height });
  }

  /** Accepts the block at `height`, which is applied next, although its forger has its slot in no list. */
  misplace(height: number): void {
    this.misplaced.add(height);
    this.journal.misplaceBlock({ height, round: this.round!.round });
  }

  /** Call this after the last block of a round, when it is the head and the next round is fixed. */
  digestRound(): void {
    if (this.head === null || this.round === null) return;
    this.journal.digestRound(roundDigest(this.head, this.sums.toHex(), this.round));
  }

  /** Adds the block, which is the head after `previous`, to the statistics of its day. */
  countDay(block: Block, previous: LedgerHead | null, newAccounts: number): void {
    if (!this.keepsStatistics) return;
    const day = this.days.dayOf(block, previous?.supply ?? 0n);
    this.journal.touchDay(day);
    // Nobody has a slot before block 2.
    const missed =
      previous === null || previous.height === 1 ? 0 : this.slotOf(block) - this.slotOf(previous) - 1;
    this.days.add(day, block, { newAccounts, supply: this.supply, missedSlots: Math.max(0, missed) });
  }

  countUnknownType(typeGroup: number, type: number): void {
    const key = `${typeGroup}/${type}`;
    this.unknownTypes.set(key, (this.unknownTypes.get(key) ?? 0) + 1);
  }

  /** The number of account rows in the next changes. */
  get changedAccounts(): number {
    return this.journal.changedAccounts;
  }

  /** Returns the records that neither this nor `takeChanges` has returned yet. The next `takeChanges` leaves them out. */
  takeRecords(): BlockRecords {
    return this.journal.takeRecords();
  }

  /** Returns the changes since the last call. */
  takeChanges(): LedgerChanges {
    this.recordSums();
    const { knowsClaims, keepsDetails } = this;
    return { ...this.journal.takeChanges(), knowsClaims, keepsDetails };
  }

  /** Whether the ledger knows if this lock is open, without asking the tables. */
  knowsLock(transactionId: string): boolean {
    return this.locks.has(transactionId) || this.closedLocks.has(transactionId);
  }

  /**
   * Drops the accounts touched longest ago until `capacity` are left. Drops all locks if there are more than `capacity`.
   * Call this only after `takeChanges`. Accounts touched above `committedHeight` stay, because the tables do not hold
   * their changes yet.
   */
  shrinkTo(capacity: number, committedHeight: number): void {
    const isAllCommitted = committedHeight >= (this.head?.height ?? 0);
    if (isAllCommitted && this.locks.size + this.closedLocks.size > capacity) {
      this.isComplete = false;
      this.locks.clear();
      this.lockTerms.clear();
      this.closedLocks.clear();
    }
    const surplus = this.accounts.size - capacity;
    if (surplus <= 0) return;
    const heights = Int32Array.from(this.accounts.values(), ({ touchedAt }) => touchedAt).sort();
    const upTo = Math.min(heights[surplus - 1]!, committedHeight);
    for (const [address, { touchedAt }] of this.accounts) {
      if (touchedAt > upTo) continue;
      this.isComplete = false;
      this.accounts.delete(address);
      if (this.accounts.size <= capacity) break;
    }
  }

  private numbered(round: ForgingRound): NumberedRound {
    const forgingOrder = round.forgingOrder.map((publicKey) => this.delegates.get(publicKey)!.number);
    return { ...round, forgingOrder };
  }

  private recordSums(): void {
    const { sums, head } = this;
    if (head !== null) this.journal.recordSums(head, () => sums.toHex());
  }

  private addDelegate(delegate: TrackedDelegate): void {
    this.delegates.set(delegate.publicKey, delegate);
    this.usernames.add(delegate.username);
    this.ranking.push(delegate);
  }

  /**
   * Returns the string object that is the delegate's map key: V8 compares it by reference, not character by
   * character.
   */
  private knownKey(publicKey: string): string {
    return this.delegates.get(publicKey)?.publicKey ?? publicKey;
  }

  private weigh(publicKey: string, weight: bigint): void {
    const delegate = this.delegates.get(publicKey);
    if (delegate === undefined) {
      this.orphanWeights.set(publicKey, (this.orphanWeights.get(publicKey) ?? 0n) + weight);
      return;
    }
    this.touchDelegate(delegate);
    delegate.weight += weight;
    this.sums.addValue(delegate, 'weight', weight);
  }

  private redirect(account: TrackedAccount, texts: Partial<AccountTexts>): void {
    const { sums } = this;
    sums.removeTexts(account);
    Object.assign(account, texts);
    sums.addTexts(account);
    this.journal.redirectAccount(account);
  }

  private touchAccount(account: TrackedAccount): void {
    if (!account.exists) {
      this.accountCount += 1;
      account.number = this.accountCount;
      this.sums.addAccount(account);
    }
    this.journal.touchAccount(account);
  }

  private touchDelegate(delegate: TrackedDelegate): void {
    if (delegate.touchedAt !== this.journal.height) this.journal.touchDelegate(delegate);
  }
}
