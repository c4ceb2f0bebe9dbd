import type { DelegateAt } from '@roundhouse/chain';
import { Entity } from 'typeorm';
import { Column, PrimaryColumn } from '../decorators.js';

@Entity('history_delegates', {
  comment:
    'The values of a delegate, except for its weight, after each block that changed one of them. Empty without history.',
})
export class HistoryDelegateEntity implements DelegateAt {
  @PrimaryColumn('integer', { comment: 'Number in delegates.' }) delegate: number;
  @PrimaryColumn('integer') height: number;
  @Column('boolean') isResigned: boolean;
  @Column('integer') producedBlocks: number;
  @Column('integer') missedBlocks: number;
  @Column('bigint') forgedFees: bigint;
  @Column('bigint') forgedRewards: bigint;
}
