import { AddressBook } from '../accounts/address.js';
import type { Block } from '../blocks/block.js';
import { LedgerInvariantError } from '../errors/chain-error.js';
import { epochOf } from '../network/chain-constants.js';
import type { Network } from '../network/network.js';
import type { HtlcLock } from '../transactions/transaction.js';
import type { BlockRecords, LedgerChanges } from './changes.js';
import { DayCounter } from './day-counter.js';
import { Forgers } from './forgers.js';
import { newAccount, type Account, type LedgerHead, type Lock } from './state.js';
import { TrackedAccount } from './tracked.js';

type AccountTexts = Pick<Account, 'publicKey' | 'vote' | 'secondPublicKey' | 'multiSignature' | 'attributes'>;

/** The accounts and open locks that blocks touch, and what every block does to them. `Ledger` adds what is rarer. */
export class WorkingSet extends Forgers {
  readonly addresses: AddressBook;
  readonly accounts = new Map<string, TrackedAccount>();
  readonly locks = new Map<string, Lock>();
  /** When and by which secret each of these locks ends. */
  readonly lockTerms = new Map<string, HtlcLock>();
  /** Locks closed since the locks were last dropped from memory. A closed lock never opens again. */
  protected readonly closedLocks = new Set<string>();
  /** False in an index that an earlier version began: it has no statistics of its first days. */
  keepsStatistics = true;
  /** The number of accounts of the chain; the working set may hold fewer. */
  accountCount = 0;
  /** Whether blocks add to the history; it never changes in the middle of a chain. */
  keepsHistory = false;

  protected readonly days: DayCounter;

  /**
   * `holdsAll`: the working set holds all accounts and all open locks, so an unknown address is a new account, and nothing has
   * to be loaded. Otherwise an unknown address is an error: it should have been loaded. No longer so once it drops an account or
   * a lock.
   */
  constructor(
    network: Network,
    public holdsAll: boolean,
  ) {
    super(network);
    this.addresses = new AddressBook(network.pubKeyHash);
    this.days = new DayCounter(epochOf(this.milestones.at(1)), this.addresses);
  }

  get supply(): bigint {
    return this.head?.supply ?? 0n;
  }

  /** Begins a block. `keepsUndo`: whether to keep its before-images. */
  begin(height: number, keepsUndo: boolean): void {
    if (keepsUndo) this.recordSums();
    this.journal.begin(height, keepsUndo, this.keepsHistory);
  }

  /** Ends the block. */
  end(): void {
    const { history, height } = this.journal;
    history?.endBlock(height, this.delegates.values());
  }

  /** Returns the account at `address`, recorded as touched by this block. */
  account(address: string): TrackedAccount {
    let account = this.accounts.get(address);
    if (account === undefined) {
      if (!this.holdsAll) {
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

  /** Adds the block, which is the head after `previous`, to the statistics of its day. */
  countDay(block: Block, previous: LedgerHead | null, newAccounts: number): void {
    if (!this.keepsStatistics) return;
    const day = this.days.dayOf(block, previous?.supply ?? 0n);
    const { height, undo, changes } = this.journal;
    undo?.days.push({ ...day, height, existed: day.blocks > 0 });
    changes.days.add(day);
    // Nobody has a slot before block 2.
    const missed =
      previous === null || previous.height === 1 ? 0 : this.slotOf(block) - this.slotOf(previous) - 1;
    this.days.add(day, block, { newAccounts, supply: this.supply, missedSlots: Math.max(0, missed) });
  }

  /** The number of account rows in the next changes. */
  get changedAccounts(): number {
    const { createdAccounts, updatedAccounts } = this.journal.changes;
    return createdAccounts.size + updatedAccounts.size;
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

  /**
   * Drops the accounts touched longest ago until `capacity` are left. Drops all locks if there are more than `capacity`.
   * Call this only after `takeChanges`. Accounts touched above `committedHeight` stay, because the tables do not hold
   * their changes yet.
   */
  shrinkTo(capacity: number, committedHeight: number): void {
    const isAllCommitted = committedHeight >= (this.head?.height ?? 0);
    if (isAllCommitted && this.locks.size + this.closedLocks.size > capacity) {
      this.holdsAll = false;
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
      this.holdsAll = false;
      this.accounts.delete(address);
      if (this.accounts.size <= capacity) break;
    }
  }

  protected redirect(account: TrackedAccount, texts: Partial<AccountTexts>): void {
    const { sums } = this;
    sums.removeTexts(account);
    Object.assign(account, texts);
    sums.addTexts(account);
    this.journal.changes.redirectedAccounts.add(account);
  }

  /** Records the sums at the head, unless they are recorded already. */
  private recordSums(): void {
    const { sums, head, journal } = this;
    if (head === null || head.height === journal.sumsAt) return;
    journal.changes.sums.push({ height: head.height, id: head.id, ...sums.toHex() });
    journal.sumsAt = head.height;
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
