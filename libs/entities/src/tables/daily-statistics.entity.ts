import type { DayStatistics } from '@roundhouse/chain';
import { Entity } from 'typeorm';
import { Column, Fixed, PrimaryColumn } from '../decorators.js';
import { undoOf } from '../undo-of.js';

@Entity('daily_statistics', {
  comment:
    'What the blocks of each day did; a day without blocks has no row. Empty in an index that an earlier version began.',
})
export class DailyStatisticsEntity implements DayStatistics {
  @PrimaryColumn('integer', { comment: 'Days from 1970-01-01 to the time of its blocks, in UTC.' })
  day: number;
  @Fixed() @Column('integer') firstHeight: number;
  @Column('integer') blocks: number;
  @Column('integer', { comment: 'Each is counted on the day of the next block; none before block 2.' })
  missedSlots: number;
  @Column('integer') transactions: number;
  @Column('numeric', {
    comment:
      'The amounts of transactions, and of the payments in multi-payments. One coin may move often: no bound.',
  })
  volume: bigint;
  @Column('bigint') fees: bigint;
  @Column('bigint') rewards: bigint;
  @Column('integer', { comment: 'Different senders and recipients of transactions and payments.' })
  activeAddresses: number;
  @Column('integer') newAccounts: number;
  @Column('bigint', { comment: 'After the newest block of the day.' }) supply: bigint;
}

export const UndoDailyStatisticsEntity = undoOf(DailyStatisticsEntity);
