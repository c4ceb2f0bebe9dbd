import { AddressBook } from '../accounts/address.js';
import { roundDigest } from '../digest/round-digest.js';
import { RunningSums, type StateSums } from '../digest/running-sums.js';
import { InvalidBlockError, LedgerInvariantError } from '../errors/chain-error.js';
import { MilestoneSchedule } from '../network/milestones.js';
import type { Network } from '../network/network.js';
import { heightsForSlots } from '../rounds/slots.js';
import type { LedgerChanges, UndoRecords } from './changes.js';
import { Journal } from './journal.js';
import type { Account, Delegate, ForgingRound, LedgerHead, Lock } from './state.js';
import { TrackedAccount, TrackedDelegate } from './tracked.js';

/**
 * The working set that blocks are applied to: all delegates, and the accounts and open locks that the blocks touch.
 * Balances, weights and votes move only through its methods, so that no weight is ever left behind and each row's
 * before-image is taken once a block. What a block contradicts is an `InvalidBlockError`, what the working set itself does a
 * `LedgerInvariantError`. After an error the ledger is spent: throw it away and load it anew.
 */
export class Ledger {
  readonly milestones: MilestoneSchedule;
  readonly addresses: AddressBook;
  readonly accounts = new Map<string, TrackedAccount>();
  readonly delegates = new Map<string, TrackedDelegate>();
  /** All delegates, in the order that the last round's end put them into. */
  readonly ranking: Delegate[] = [];
  readonly locks = new Map<string, Lock>();
  head: LedgerHead | null = null;
  /** The round of the next block; null before the genesis block. */
  round: ForgingRound | null = null;
  /** The public keys that forged a block of `round` so far. */
  readonly forgers = new Set<string>();
  /** Timestamps of the blocks around a change of block time, which slots are counted from; empty where none changed. */
  readonly timestamps = new Map<number, number>();
  /** Type group and type, as `2/6` → how many were met that this index does not know. */
  readonly unknownTypes = new Map<string, number>();
  /** Weights of votes for keys that have not registered (yet): a registration finds its votes here. */
  readonly orphanWeights = new Map<string, bigint>();

  private readonly slotHeights: ReadonlySet<number>;
  private readonly usernames = new Set<string>();
  private readonly journal = new Journal();
  /** Locks closed since locks were last forgotten: none of them is open again. */
  private closedLocks = new Set<string>();
  /** Null where the index does not hold them: it was begun by a version that did not. */
  private sums: RunningSums | null = null;
  private isComplete: boolean;

  /**
   * `isComplete` says that the working set holds every account and every open lock there is, so that an address it
   * does not know is a new account. Otherwise an unknown address is an error: whoever loads the working set has left
   * it out. It ends with the first account or lock that is forgotten.
   */
  constructor(
    readonly network: Network,
    isComplete: boolean,
  ) {
    this.isComplete = isComplete;
    this.milestones = new MilestoneSchedule(network.milestones);
    this.addresses = new AddressBook(network.pubKeyHash);
    this.slotHeights = new Set(heightsForSlots(this.milestones, Number.MAX_SAFE_INTEGER));
  }

  /** A ledger before the genesis block, held wholly in memory. */
  static empty(network: Network): Ledger {
    const ledger = new Ledger(network, true);
    ledger.sums = new RunningSums();
    return ledger;
  }

  /** Whether the working set holds all there is, and nothing need be loaded. */
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

  /** Goes on from the sums at the head; without it the ledger keeps none. */
  loadSums(sums: StateSums): void {
    this.sums = new RunningSums(sums);
    this.journal.knowSumsAt(this.head?.height ?? 0);
  }

  /** Begins a block; `keepsUndo` says whether its before-images will be asked for. */
  begin(height: number, keepsUndo: boolean): void {
    if (keepsUndo) this.noteSums();
    this.journal.begin(height, keepsUndo);
  }

  /** The account at `address`, ready to be changed in this block. */
  account(address: string): TrackedAccount {
    let account = this.accounts.get(address);
    if (account === undefined) {
      if (!this.isComplete) {
        throw new LedgerInvariantError(
          `Account ${address} is touched at height ${this.journal.height} but was not loaded.`,
        );
      }
      const empty = { address, publicKey: null, balance: 0n, locked: 0n, vote: null };
      account = new TrackedAccount(empty, false);
      this.accounts.set(address, account);
    }
    if (account.touchedAt !== this.journal.height) this.touchAccount(account);
    return account;
  }

  /** The account that a public key signs for; the key becomes known with that. */
  signer(publicKey: string): TrackedAccount {
    const account = this.account(this.addresses.addressOf(publicKey));
    if (account.publicKey !== publicKey) this.redirect(account, publicKey, account.vote);
    return account;
  }

  /** The delegate with this public key, ready to be changed in this block; null where nobody registered it. */
  findDelegate(publicKey: string): TrackedDelegate | null {
    const delegate = this.delegates.get(publicKey);
    if (delegate === undefined) return null;
    this.touchDelegate(delegate);
    return delegate;
  }

  /** Adds a delegate; the votes that were given to its key before count from now on. Throws `InvalidBlockError`. */
  register(delegate: Omit<Delegate, 'weight'>): void {
    const { publicKey, username } = delegate;
    if (this.delegates.has(publicKey)) {
      throw new InvalidBlockError(this.journal.height, `delegate ${publicKey} registers again`);
    }
    if (this.usernames.has(username)) {
      throw new InvalidBlockError(this.journal.height, `the username "${username}" is taken already`);
    }
    const weight = this.orphanWeights.get(publicKey) ?? 0n;
    this.orphanWeights.delete(publicKey);
    const added = new TrackedDelegate({ ...delegate, weight }, false);
    this.addDelegate(added);
    this.touchDelegate(added);
    this.sums?.addDelegate(added);
  }

  resign(delegate: TrackedDelegate): void {
    if (delegate.isResigned) return;
    delegate.isResigned = true;
    this.sums?.addResignation(delegate);
  }

  countForged(delegate: TrackedDelegate, fees: bigint, reward: bigint): void {
    delegate.producedBlocks += 1;
    delegate.forgedFees += fees;
    delegate.forgedRewards += reward;
    this.sums?.addForged(delegate, fees, reward);
  }

  countMissed(delegate: TrackedDelegate): void {
    delegate.missedBlocks += 1;
    this.sums?.addMissed(delegate);
  }

  /** Moves an account's amounts, and with them the weight of the delegate that it votes for. */
  move(account: TrackedAccount, balance: bigint, locked = 0n): void {
    const { sums } = this;
    account.balance += balance;
    sums?.addBalance(account, balance);
    // Even the sum with 0 is an object of its own.
    if (locked !== 0n) {
      account.locked += locked;
      sums?.addLocked(account, locked);
    }
    if (account.vote !== null) this.weigh(account.vote, locked === 0n ? balance : balance + locked);
  }

  /** Gives the account's whole weight to another delegate, or to none. */
  setVote(account: TrackedAccount, vote: string | null): void {
    const weight = account.balance + account.locked;
    if (account.vote !== null) this.weigh(account.vote, -weight);
    this.redirect(account, account.publicKey, vote === null ? null : this.knownKey(vote));
    if (vote !== null) this.weigh(vote, weight);
  }

  openLock(lock: Lock): void {
    this.journal.openLock(lock);
    this.sums?.openLock(lock);
    this.locks.set(lock.transactionId, lock);
  }

  /** Takes an open lock out, for a claim or a refund of it. Throws `InvalidBlockError`. */
  closeLock(transactionId: string): Lock {
    const lock = this.locks.get(transactionId);
    if (lock === undefined) {
      throw new InvalidBlockError(
        this.journal.height,
        `lock ${transactionId} is claimed or refunded but is not open`,
      );
    }
    this.journal.closeLock(lock);
    this.sums?.closeLock(lock);
    this.locks.delete(transactionId);
    if (!this.isComplete) this.closedLocks.add(transactionId);
    return lock;
  }

  /** Moves the head, and notes its timestamp where slots are counted from it. */
  moveHead(head: LedgerHead): void {
    this.head = head;
    if (this.slotHeights.has(head.height)) this.timestamps.set(head.height, head.timestamp);
  }

  /** Fixes the forgers of the next round. */
  startRound(round: ForgingRound): void {
    this.round = round;
    this.forgers.clear();
    this.journal.startRound(round);
  }

  /** To be called after the last block of a round, when the head is that block and the next round is fixed. */
  digestRound(): void {
    if (this.sums === null || this.head === null || this.round === null) return;
    this.journal.digestRound(roundDigest(this.head, this.sums.toHex(), this.round));
  }

  countUnknownType(typeGroup: number, type: number): void {
    const key = `${typeGroup}/${type}`;
    this.unknownTypes.set(key, (this.unknownTypes.get(key) ?? 0) + 1);
  }

  /** How many rows of accounts the next changes will be about. */
  get changedAccounts(): number {
    return this.journal.changedAccounts;
  }

  /** The undo records since the last call, or since `takeChanges`, which will not have them. */
  takeUndo(): UndoRecords {
    return this.journal.takeUndo();
  }

  /** What has changed since the last call; the ledger begins a new list. */
  takeChanges(): LedgerChanges {
    this.noteSums();
    return this.journal.takeChanges();
  }

  /** Whether the ledger can tell by itself if this lock is open. */
  knowsLock(transactionId: string): boolean {
    return this.locks.has(transactionId) || this.closedLocks.has(transactionId);
  }

  /**
   * Forgets the accounts loaded longest ago until `capacity` are left, and the locks where there are more than that;
   * only after `takeChanges`. What was touched above `committedHeight` stays: the tables do not hold it yet.
   */
  shrinkTo(capacity: number, committedHeight: number): void {
    const isAllCommitted = committedHeight >= (this.head?.height ?? 0);
    if (isAllCommitted && this.locks.size + this.closedLocks.size > capacity) {
      this.isComplete = false;
      this.locks.clear();
      this.closedLocks.clear();
    }
    if (this.accounts.size <= capacity) return;
    for (const [address, { touchedAt }] of this.accounts) {
      if (touchedAt > committedHeight) continue;
      this.isComplete = false;
      this.accounts.delete(address);
      if (this.accounts.size <= capacity) break;
    }
  }

  private noteSums(): void {
    const { sums, head } = this;
    if (sums !== null && head !== null) this.journal.noteSums(head, () => sums.toHex());
  }

  private addDelegate(delegate: TrackedDelegate): void {
    this.delegates.set(delegate.publicKey, delegate);
    this.usernames.add(delegate.username);
    this.ranking.push(delegate);
  }

  /** The very text by which a delegate is found: it is found again without a look at each character. */
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
    this.sums?.addWeight(delegate, weight);
  }

  private redirect(account: TrackedAccount, publicKey: string | null, vote: string | null): void {
    const { sums } = this;
    sums?.removeTexts(account);
    account.publicKey = publicKey;
    account.vote = vote;
    sums?.addTexts(account);
    this.journal.redirectAccount(account);
  }

  private touchAccount(account: TrackedAccount): void {
    if (!account.exists) this.sums?.addAccount(account);
    this.journal.touchAccount(account);
  }

  private touchDelegate(delegate: TrackedDelegate): void {
    if (delegate.touchedAt !== this.journal.height) this.journal.touchDelegate(delegate);
  }
}
