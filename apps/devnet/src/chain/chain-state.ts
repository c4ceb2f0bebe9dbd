import {
  admitForger,
  applyBlock,
  CORE_TYPE_GROUP,
  forgerAt,
  Ledger,
  slotTime,
  TransactionType,
  type BlockRef,
  type Delegate,
  type ForgerRule,
  type Network,
} from '@roundhouse/chain';
import type { RawTransaction } from '../transactions/raw-transaction.js';
import { toBlock, type RawBlock } from './raw-block.js';
import { Wallets } from './wallet-facts.js';

export interface LastForged extends BlockRef {
  readonly timestamp: number;
}

const changesDelegates = ({ typeGroup, type }: RawTransaction): boolean =>
  typeGroup === CORE_TYPE_GROUP &&
  (type === TransactionType.DelegateRegistration || type === TransactionType.DelegateResignation);

/** The state after a block. It is computed only from the blocks, so a restart and a fork just replay them. */
export class ChainState {
  readonly ledger: Ledger;
  readonly wallets: Wallets;
  /** Public key → the newest block that the delegate forged. */
  readonly lastForged = new Map<string, LastForged>();
  /** The delegates that have not resigned, in order of registration. Kept, because each block asks for them. */
  eligibleDelegates: readonly Delegate[] = [];

  constructor(readonly network: Network) {
    this.ledger = Ledger.empty(network);
    this.wallets = new Wallets((publicKey) => this.addressOf(publicKey));
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

  balanceOf(address: string): bigint {
    return this.ledger.accounts.get(address)?.balance ?? 0n;
  }

  /** The public key of the delegate that the account votes for. */
  voteOf(address: string): string | null {
    return this.ledger.accounts.get(address)?.vote ?? null;
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

  slotOf(block: Pick<RawBlock, 'height' | 'timestamp'>): number {
    return this.ledger.slotOf(block);
  }

  /** The start of a slot in seconds since the epoch. */
  timeOf(slot: number): number {
    return slotTime(this.ledger.milestones, slot, this.height + 1, this.timestampAt);
  }

  /** The public key of the delegate that may forge the next block in this slot. */
  forgerOf(slot: number): string {
    const { round } = this.ledger;
    if (round === null || round.forgingOrder.length === 0)
      throw new Error('The chain has no delegates; its genesis block is missing.');
    return forgerAt(round, slot);
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

  apply(raw: RawBlock, rule?: ForgerRule): void {
    const block = toBlock(raw);
    admitForger(this.ledger, block, rule);
    applyBlock(this.ledger, block);
    this.ledger.takeChanges();
    for (const transaction of raw.transactions) this.wallets.apply(transaction, raw.timestamp);
    if (raw.transactions.some(changesDelegates))
      this.eligibleDelegates = [...this.ledger.delegates.values()].filter(({ isResigned }) => !isResigned);
    const { height, id, timestamp, generatorPublicKey } = raw;
    this.lastForged.set(generatorPublicKey, { height, id, timestamp });
  }

  /** The ledger keeps the timestamps around a change of the block time. */
  private readonly timestampAt = (height: number): number => this.ledger.timestamps.get(height)!;
}
