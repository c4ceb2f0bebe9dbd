import type { Delegate } from '@roundhouse/chain';
import { Entity, Index } from 'typeorm';
import { Column, Fixed, PrimaryColumn } from '../decorators.js';
import { undoOf } from '../undo-of.js';

@Entity('delegates')
@Index('ux_delegates__address', ['address'], { unique: true })
@Index('ux_delegates__username', ['username'], { unique: true })
@Index('ux_delegates__number', ['number'], { unique: true })
// The largest weight first.
@Index('ix_delegates__rank', ['isResigned', 'weight', 'publicKey'])
export class DelegateEntity implements Delegate {
  @PrimaryColumn('bytea', { form: 'hex' }) publicKey: string;
  @Fixed()
  @Column('integer', { comment: 'Counts the registrations of the chain, from 1.' })
  number: number;
  @Fixed() @Column('text', { collation: 'C' }) address: string;
  @Fixed() @Column('text', { collation: 'C' }) username: string;
  @Column('bigint', {
    comment: 'Sum of balance + locked over the accounts that vote for the delegate.',
  })
  weight: bigint;
  @Column('integer', {
    default: 0,
    comment:
      'The rank with which the delegate resigned, that of the last round end; 0 if it has not, or had none.',
  })
  lastRank: number;
  @Column('boolean') isResigned: boolean;
  @Column('integer') producedBlocks: number;
  @Column('integer') missedBlocks: number;
  @Column('bigint') forgedFees: bigint;
  @Column('bigint') forgedRewards: bigint;
  @Fixed() @Column('integer') registeredHeight: number;
  @Fixed() @Column('integer') registeredSequence: number;
}

export const UndoDelegateEntity = undoOf(DelegateEntity);
