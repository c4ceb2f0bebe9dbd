import {
  admitForger,
  applyBlock,
  CORE_TYPE_GROUP,
  forgerAt,
  Ledger,
  multiSignatureKeyOf,
  newAccount,
  Rules,
  slotTime,
  TransactionType,
  type Account,
  type Block,
  type BlockRef,
  type Delegate,
  type ForgerRule,
  type HtlcLock,
  type Network,
  type Transaction,
} from '@roundhouse/chain';

export interface LastForged extends BlockRef {
  readonly timestamp: number;
}

/** What a node knows about an open lock, in addition to its amount and its accounts. */
export interface LockFacts extends HtlcLock {
  readonly senderPublicKey: string;
  readonly nonce: bigint;
}

const changesDelegates = ({ typeGroup, type }: Transaction): boolean =>
  typeGroup === CORE_TYPE_GROUP &&
  (type === TransactionType.DelegateRegistration || type === TransactionType.DelegateResignation);

/** The state after a block. It is computed only from the blocks, so a restart and a fork just replay them. */
export class ChainState {
  readonly ledger: Ledger;
  readonly rules = new Rules();
  readonly locks = new Map<string, LockFacts>();
  /** Address → public key of the multi-signature accounts, in order of registration. */
  readonly multiSignatures = new Map<string, string>();
  /** Public key → the newest block that the delegate forged. */
  readonly lastForged = new Map<string, LastForged>();
  /** The delegates that have not resigned, in order of registration. Kept, because each block asks for them. */
  eligibleDelegates: readonly Delegate[] = [];

  constructor(readonly network: Network) {
    this.ledger = Ledger.empty(network);
  }

  get activeDelegates(): number {
    return this.ledger.milestones.at(this.height + 1).activeDelegates;
  }

  get height(): number {
    return this.ledger.head?.height ?? 0;
  }

  addressOf(publicKey: string): string {
    return this.ledger.addresses.addressOf(publicKey);
  }

  accountOf(address: string): Readonly<Account> {
    return this.ledger.accounts.get(address) ?? newAccount(address);
  }

  /** Whether a lock has expired at the head and can only be refunded (Core 3.9, `calculateLockExpirationStatus`). */
  isExpired({ type, value }: { readonly type: number; readonly value: number }): boolean {
    return value <= (type === 1 ? (this.ledger.head?.timestamp ?? 0) : this.height);
  }

  /** The slot of the head. */
  get slot(): number {
    const { head } = this.ledger;
    return head === null ? 0 : this.slotOf(head);
  }

  slotOf(block: Pick<Block, 'height' | 'timestamp'>): number {
    return this.ledger.slotOf(block);
  }

  /** The start of a slot in seconds since the epoch. */
  timeOf(slot: number): number {
    return slotTime(this.ledger.milestones, slot, this.height + 1, this.timestampAt);
  }

  /** Whether an active delegate has the slot in none of the lists of forgers that the round may have. */
  isOutOfSlot(publicKey: string, slot: number): boolean {
    const { round, candidates } = this.ledger;
    if (!round?.forgingOrder.includes(publicKey)) return false;
    return [round, ...candidates].every((list) => forgerAt(list, slot) !== publicKey);
  }

  /**
   * The node restarts: it forgets the claims that it miscounted, and chooses the next forgers by the right weights; also
   * those of a round that has no block yet.
   */
  restartNode(): void {
    const { claims, candidates, forged, round } = this.ledger;
    const list = candidates.find(
      ({ firstSlot, forgottenClaims }) => firstSlot === round?.firstSlot && forgottenClaims === claims.count,
    );
    if (forged.length === 0 && list) this.ledger.reviseRound(list, this.height + 1);
    claims.forget();
  }

  /** Throws `InvalidBlockError` for a block that breaks a rule, as a node refuses it. */
  apply(block: Block, rule?: ForgerRule): void {
    const { ledger, rules } = this;
    admitForger(ledger, block, rule);
    applyBlock(ledger, block, false, { rules });
    this.ledger.takeChanges();
    for (const transaction of block.transactions) this.remember(transaction);
    if (block.transactions.some(changesDelegates))
      this.eligibleDelegates = [...this.ledger.delegates.values()].filter(({ isResigned }) => !isResigned);
    const { height, id, timestamp, generatorPublicKey } = block;
    this.lastForged.set(generatorPublicKey, { height, id, timestamp });
  }

  private remember({ id, senderPublicKey, nonce, asset }: Transaction): void {
    if (asset?.multiSignature !== undefined) {
      // The ledger has refused members that have no key.
      const publicKey = multiSignatureKeyOf(asset.multiSignature)!;
      this.multiSignatures.set(this.addressOf(publicKey), publicKey);
    } else if (asset?.lock !== undefined) {
      this.locks.set(id, { senderPublicKey, nonce: nonce!, ...asset.lock });
    } else if (asset?.lockTransactionId !== undefined) {
      this.locks.delete(asset.lockTransactionId);
    }
  }

  /** The ledger keeps the timestamps around a change of the block time. */
  private readonly timestampAt = (height: number): number => this.ledger.timestamps.get(height)!;
}
