import type { Account, Delegate, Lock } from '../ledger/state.js';
import { AccountMark, DelegateMark } from './marks.js';
import { factorOf, Lanes, type Factor } from './lanes.js';

/**
 * What all rows of each table come to: the sum of every value times a factor of its own, in 32 lower-case hexadecimal
 * digits (docs/decisions/0011).
 */
export interface StateSums {
  readonly accounts: string;
  readonly delegates: string;
  readonly locks: string;
}

/** A row of the ledger, and what the sums hold for it; null as long as it was not touched. */
export type Marked<Row, Mark> = Row & { mark: Mark | null };

const lockFactor = ({ transactionId, senderAddress, recipientAddress, amount }: Lock): Factor =>
  factorOf(`lock\t${transactionId}\t${senderAddress}\t${recipientAddress}\t${amount}`);

/** The sums of a state that changes: rows that were touched are brought in when the sums are asked for. */
export class RunningSums {
  private readonly accounts: Lanes;
  private readonly delegates: Lanes;
  private readonly locks: Lanes;
  private readonly touchedAccounts: Marked<Account, AccountMark>[] = [];
  private readonly touchedDelegates: Marked<Delegate, DelegateMark>[] = [];

  /** Without sums: of a state without a row. */
  constructor(sums?: StateSums) {
    this.accounts = new Lanes(sums?.accounts);
    this.delegates = new Lanes(sums?.delegates);
    this.locks = new Lanes(sums?.locks);
  }

  /** To be called once between two calls of `settle`, before the row changes; `existed`: whether it is an old one. */
  touchAccount(account: Marked<Account, AccountMark>, existed: boolean): void {
    account.mark ??= new AccountMark(account, existed);
    this.touchedAccounts.push(account);
  }

  /** As `touchAccount`. */
  touchDelegate(delegate: Marked<Delegate, DelegateMark>, existed: boolean): void {
    delegate.mark ??= new DelegateMark(delegate, existed);
    this.touchedDelegates.push(delegate);
  }

  openLock(lock: Lock): void {
    this.locks.add(1n, lockFactor(lock));
  }

  closeLock(lock: Lock): void {
    this.locks.add(-1n, lockFactor(lock));
  }

  /** The sums of the rows as they are now. */
  settle(): StateSums {
    const { accounts, delegates, locks } = this;
    for (const account of this.touchedAccounts) account.mark!.moveTo(account, accounts);
    for (const delegate of this.touchedDelegates) delegate.mark!.moveTo(delegate, delegates);
    this.touchedAccounts.length = 0;
    this.touchedDelegates.length = 0;
    return { accounts: accounts.toHex(), delegates: delegates.toHex(), locks: locks.toHex() };
  }
}
