import type { AmountsAt } from '@roundhouse/chain';
import { Entity } from 'typeorm';
import { Column, PrimaryColumn } from '../decorators.js';

@Entity('history_balances', {
  comment: 'The amounts of an account after each block that changed them. Empty without history.',
})
export class HistoryBalanceEntity implements AmountsAt {
  @PrimaryColumn('integer', { comment: 'Number in accounts.' }) account: number;
  @PrimaryColumn('integer') height: number;
  @Column('bigint') balance: bigint;
  @Column('bigint') locked: bigint;
}
