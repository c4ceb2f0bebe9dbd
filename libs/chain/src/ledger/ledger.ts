import { AddressBook } from '../accounts/address.js';
import { attributesOf, textOfAttributes, type Attributes } from '../accounts/attributes.js';
import type { Block } from '../blocks/block.js';
import { InvalidBlockError, LedgerInvariantError } from '../errors/chain-error.js';
import { epochOf } from '../network/chain-constants.js';
import type { Network } from '../network/network.js';
import type { HtlcLock } from '../transactions/transaction.js';
import type { BlockRecords, LedgerChanges } from './changes.js';
import { DayCounter, type DayStatistics } from './day-counter.js';
import { Forgers } from './forgers.js';
import { newAccount, type Account, type LedgerHead, type Lock } from './state.js';
import { TrackedAccount } from './tracked.js';

type AccountTexts = Pick<Account, 'publicKey' | 'vote' | 'secondPublicKey' | 'multiSignature' | 'attributes'>;

/**
 * The working set that blocks are applied to: all delegates, and the accounts and open locks that the blocks touch.
 * Balances, weights and votes change only through its methods, so weights always match and each row's before-image is
 * taken once per block. Throws `InvalidBlockError` if a block contradicts the chain, and `LedgerInvariantError` if
 * the working set itself does. After an error the ledger is unusable: discard it and load a new one.
 */
export class Ledger extends Forgers {
  readonly addresses: AddressBook;
  readonly accounts = new Map<string, TrackedAccount>();
  readonly locks = new Map<string, Lock>();
  /** When and by which secret each lock of `locks` ends. */
  readonly lockTerms = new Map<string, HtlcLock>();
  /** False in an index that an earlier version began: it has no statistics of its first days. */
  keepsStatistics = true;
  /** Unknown transaction types, as `typeGroup/type` → how many were applied. */
  readonly unknownTypes = new Map<string, number>();
  /** The number of accounts of the chain; the working set may hold fewer. */
  accountCount = 0;
  /** Whether blocks add to the history; it never changes in the middle of a chain. */
  keepsHistory = false;

  private readonly days: DayCounter;
  /** Locks closed since the locks were last dropped from memory. A closed lock never opens again. */
  private closedLocks = new Set<string>();
  private isComplete: boolean;

  /**
   * `isComplete`: the working set holds all accounts and all open locks, so an unknown address is a new account.
   * Otherwise an unknown address is an error: it should have been loaded. The ledger is no longer complete once it
   * drops an account or a lock.
   */
  constructor(network: Network, isComplete: boolean) {
    super(network);
    this.isComplete = isComplete;
    this.addresses = new AddressBook(network.pubKeyHash);
    this.days = new DayCounter(epochOf(this.milestones.at(1)), this.addresses);
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

  private recordSums(): void {
    const { sums, head } = this;
    if (head !== null) this.journal.recordSums(head, () => sums.toHex());
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
}
