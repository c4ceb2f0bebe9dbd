import type { Account, ClaimDrift, Lock, Registration } from '../ledger/state.js';
import {
  DELEGATE_VALUES,
  factorOf,
  ValueSums,
  type Factor,
  type SummedAccount,
  type SummedDelegate,
} from './value-sums.js';

/** The factor of an account's texts. With it, an account changes the sum even if all its amounts are 0. */
const accountTexts = (account: Account): Factor => {
  const { address, publicKey, vote, secondPublicKey, multiSignature, attributes } = account;
  const texts = `account\t${address}\t${publicKey ?? ''}\t${vote ?? ''}\t${secondPublicKey ?? ''}\t${multiSignature ?? ''}`;
  // Most accounts have none, and keep the factor that earlier versions gave them.
  return factorOf(attributes === null ? texts : `${texts}\t${attributes}`);
};

const lockedFactor = (address: string): Factor => factorOf(`locked\t${address}`);

const registrationTexts = (registration: Registration): Factor => {
  const { publicKey, address, registeredHeight, registeredSequence, username } = registration;
  return factorOf(
    `delegate\t${publicKey}\t${address}\t${registeredHeight}\t${registeredSequence}\t${username}`,
  );
};

const lockFactor = ({ transactionId, senderAddress, recipientAddress, amount }: Lock): Factor =>
  factorOf(`lock\t${transactionId}\t${senderAddress}\t${recipientAddress}\t${amount}`);

const claimFactor = ({ number, height, loser, winner, amount }: ClaimDrift): Factor =>
  factorOf(`claim\t${number}\t${height}\t${loser ?? ''}\t${winner ?? ''}\t${amount}`);

/** The sums of a state that changes: each change is added when it is made. */
export class RunningSums extends ValueSums {
  addAccount(account: SummedAccount): void {
    this.addTexts(account);
    if (account.balance !== 0n) this.addBalance(account, account.balance);
    if (account.locked !== 0n) this.addLocked(account, account.locked);
    if (account.nonce !== 0) this.addNonce(account, BigInt(account.nonce));
  }

  /** Adds an account's keys and vote. Call `removeTexts` before one changes, and this again afterwards. */
  addTexts(account: Account): void {
    this.accounts.add(1n, accountTexts(account));
  }

  removeTexts(account: Account): void {
    this.accounts.add(-1n, accountTexts(account));
  }

  addLocked({ address }: Account, amount: bigint): void {
    this.accounts.add(amount, lockedFactor(address));
  }

  addDelegate(delegate: SummedDelegate): void {
    this.delegates.add(1n, registrationTexts(delegate));
    for (const value of DELEGATE_VALUES) this.addValue(delegate, value, BigInt(delegate[value]));
  }

  openLock(lock: Lock): void {
    this.locks.add(1n, lockFactor(lock));
  }

  closeLock(lock: Lock): void {
    this.locks.add(-1n, lockFactor(lock));
  }

  addClaim(claim: ClaimDrift): void {
    this.locks.add(1n, claimFactor(claim));
  }

  /** Adds the sums of other rows; with `times` -1n, takes them away. */
  addSums({ accounts, delegates, locks }: RunningSums, times: 1n | -1n): void {
    this.accounts.addSum(accounts, times);
    this.delegates.addSum(delegates, times);
    this.locks.addSum(locks, times);
  }
}
