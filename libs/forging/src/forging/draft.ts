import { CORE_TYPE_GROUP, multiSignatureKeyOf, TransactionType, type Transaction } from '@roundhouse/chain';
import type { ChainState } from '../chain/chain-state.js';
import { MAX_TRANSACTIONS_PER_BLOCK } from '../network/devnet-network.js';

/** The amount that a transaction takes from its sender's balance, in arktoshi. */
export const costOf = ({ amount, fee, asset }: Transaction): bigint =>
  (asset?.payments ?? []).reduce((sum, payment) => sum + payment.amount, amount + fee);

const isResignation = ({ typeGroup, type }: Transaction): boolean =>
  typeGroup === CORE_TYPE_GROUP && type === TransactionType.DelegateResignation;

/** The transactions of the next block so far, and what senders can still spend. */
export class Draft {
  readonly transactions: Transaction[] = [];
  private readonly spent = new Map<string, bigint>();
  private readonly nonces = new Map<string, bigint>();
  private readonly ids = new Set<string>();
  private readonly closedLocks = new Set<string>();
  private readonly usernames = new Set<string>();
  private readonly resigned = new Set<string>();
  private readonly shared = new Set<string>();

  constructor(readonly state: ChainState) {}

  get isFull(): boolean {
    return this.transactions.length >= MAX_TRANSACTIONS_PER_BLOCK;
  }

  /** The number of its delegate registrations. */
  get registrations(): number {
    return this.usernames.size;
  }

  /** The number of its delegate resignations. */
  get resignations(): number {
    return this.resigned.size;
  }

  has(id: string): boolean {
    return this.ids.has(id);
  }

  /** Whether the account has already sent a transaction in this block. */
  isBusy(address: string): boolean {
    return this.nonces.has(address);
  }

  /** Whether the account has already sent a transaction of this type, in type group 1, in this block. */
  hasSent(address: string, type: number): boolean {
    return this.transactions.some(
      (sent) =>
        sent.type === type &&
        sent.typeGroup === CORE_TYPE_GROUP &&
        this.state.addressOf(sent.senderPublicKey) === address,
    );
  }

  /** The amount that the account can still spend. Amounts received in this block do not count yet. */
  spendableOf(address: string): bigint {
    return this.state.accountOf(address).balance - (this.spent.get(address) ?? 0n);
  }

  nextNonceOf(address: string): bigint {
    return (this.nonces.get(address) ?? BigInt(this.state.accountOf(address).nonce)) + 1n;
  }

  /** Whether the lock is open and no transaction of this block closes it. */
  isOpen(lockId: string): boolean {
    return this.state.ledger.locks.has(lockId) && !this.closedLocks.has(lockId);
  }

  /** Whether the delegate has resigned, or does so in this block. */
  isResigned(publicKey: string): boolean {
    return this.resigned.has(publicKey) || this.state.ledger.delegates.get(publicKey)?.isResigned === true;
  }

  /** Whether a transaction of this block registers the multi-signature account of this key. */
  isShared(publicKey: string): boolean {
    return this.shared.has(publicKey);
  }

  isTaken(username: string): boolean {
    if (this.usernames.has(username)) return true;
    for (const delegate of this.state.ledger.delegates.values())
      if (delegate.username === username) return true;
    return false;
  }

  add(transaction: Transaction): void {
    const { id, senderPublicKey, nonce, asset } = transaction;
    const sender = this.state.addressOf(senderPublicKey);
    this.transactions.push(transaction);
    this.ids.add(id);
    this.nonces.set(sender, nonce ?? this.nextNonceOf(sender));
    this.spent.set(sender, (this.spent.get(sender) ?? 0n) + costOf(transaction));
    if (asset?.lockTransactionId !== undefined) this.closedLocks.add(asset.lockTransactionId);
    if (asset?.username !== undefined) this.usernames.add(asset.username);
    if (asset?.multiSignature !== undefined) this.shared.add(multiSignatureKeyOf(asset.multiSignature) ?? '');
    if (isResignation(transaction)) this.resigned.add(senderPublicKey);
  }
}
