import { DAY_SECONDS } from '@roundhouse/chain';
import { Entity } from 'typeorm';
import { Column, PrimaryColumn } from '../decorators.js';

@Entity('daily_fees', {
  comment: 'The fees of each type of transaction on each day. Empty unless head.has_details.',
})
export class DailyFeeEntity {
  @PrimaryColumn('integer', { comment: `The timestamp of the block / ${DAY_SECONDS}.` }) day: number;
  @PrimaryColumn('integer') typeGroup: number;
  @PrimaryColumn('integer') type: number;
  @Column('integer', { comment: 'The first block of the day with such a transaction.' }) firstHeight: number;
  @Column('integer') count: number;
  @Column('bigint') minFee: bigint;
  @Column('bigint') maxFee: bigint;
  @Column('bigint') sumFee: bigint;
}
