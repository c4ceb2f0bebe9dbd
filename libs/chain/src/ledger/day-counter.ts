import type { AddressBook } from '../accounts/address.js';
import type { Block } from '../blocks/block.js';
import { DAY_SECONDS } from '../statement/moment.js';

/** What the blocks of one day did (docs/decisions/0045). Amounts are in arktoshi. */
export interface DayStatistics {
  /** Days from 1970-01-01 to that of its blocks' timestamps, in UTC. */
  readonly day: number;
  readonly firstHeight: number;
  blocks: number;
  /** Slots without a block, each counted on the day of the next block; none before block 2. */
  missedSlots: number;
  transactions: number;
  /** The amounts of all transactions, and of the payments in multi-payments. */
  volume: bigint;
  fees: bigint;
  rewards: bigint;
  /** Different senders and recipients of transactions, and of payments in them. */
  activeAddresses: number;
  newAccounts: number;
  /** After its newest block. */
  supply: bigint;
}

/** What the ledger knows of a block besides. */
type Counted = Pick<DayStatistics, 'missedSlots' | 'newAccounts' | 'supply'>;

/** Sums up the newest day. Blocks never go back in time. */
export class DayCounter {
  private day: DayStatistics | null = null;
  /** The addresses that were active on that day so far. */
  private readonly active = new Set<string>();

  /** `epoch`: that of the chain, in seconds since 1970. */
  constructor(
    private readonly epoch: number,
    private readonly addresses: AddressBook,
  ) {}

  /** Goes on with a day. `active`: its addresses so far. */
  load(day: DayStatistics, active: Iterable<string>): void {
    this.day = day;
    for (const address of active) this.active.add(address);
  }

  /** The day of the next block, without it; a new one has no blocks. `supply`: before the block. */
  dayOf({ height, timestamp }: Block, supply: bigint): DayStatistics {
    const day = Math.floor((this.epoch + timestamp) / DAY_SECONDS);
    if (this.day?.day === day) return this.day;
    this.active.clear();
    return (this.day = {
      day,
      firstHeight: height,
      blocks: 0,
      missedSlots: 0,
      transactions: 0,
      volume: 0n,
      fees: 0n,
      rewards: 0n,
      activeAddresses: 0,
      newAccounts: 0,
      supply,
    });
  }

  /** Adds a block to its day, which `dayOf` has returned. */
  add(day: DayStatistics, block: Block, { missedSlots, newAccounts, supply }: Counted): void {
    day.blocks += 1;
    day.missedSlots += missedSlots;
    day.transactions += block.transactions.length;
    day.newAccounts += newAccounts;
    day.supply = supply;
    day.rewards += block.reward;
    if (block.transactions.length === 0) return;
    day.fees += block.totalFee;
    for (const { senderPublicKey, recipientId, amount, asset } of block.transactions) {
      if (amount !== 0n) day.volume += amount;
      this.active.add(this.addresses.addressOf(senderPublicKey));
      if (recipientId !== null) this.active.add(recipientId);
      for (const payment of asset?.payments ?? []) {
        this.active.add(payment.recipientId);
        day.volume += payment.amount;
      }
    }
    day.activeAddresses = this.active.size;
  }
}
