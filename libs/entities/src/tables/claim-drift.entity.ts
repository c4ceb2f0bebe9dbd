import type { ClaimDrift } from '@roundhouse/chain';
import { Entity } from 'typeorm';
import { Column, PrimaryColumn } from '../decorators.js';

@Entity('claim_drifts', {
  comment:
    'Claims of locks by others than their recipients: a running node adds the amount to the weight of the wrong delegate, and chooses forgers by these weights until it restarts.',
})
export class ClaimDriftEntity implements ClaimDrift {
  @PrimaryColumn('integer', { comment: 'Counts the rows in the order of the claims, from 1.' })
  number: number;
  @Column('integer') height: number;
  @Column('integer', {
    nullable: true,
    comment: 'Number of the delegate that the recipient of the lock voted for.',
  })
  loser: number | null;
  @Column('integer', {
    nullable: true,
    comment: 'Number of the delegate that the sender of the claim voted for.',
  })
  winner: number | null;
  @Column('bigint') amount: bigint;
}
