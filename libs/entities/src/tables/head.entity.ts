import { Check, Entity } from 'typeorm';
import { Added, Column, Local, PrimaryColumn } from '../decorators.js';

@Entity('head', {
  comment: 'The newest indexed block and the counters that belong to it; absent before the genesis block.',
})
@Check('head_id_check', 'id = 1')
export class HeadEntity {
  @Local() @PrimaryColumn('smallint', { default: 1 }) id: number;
  @Column('integer') height: number;
  @Column('bytea', { form: 'block id' }) blockId: string;
  /** Seconds since the chain's epoch. */
  @Column('integer') timestamp: number;
  @Column('bigint') supply: bigint;
  @Column('integer') delegateCount: number;
  @Local() @Column('timestamptz', { default: () => 'now()' }) indexedAt: Date;
  /** Counts the moves of the head, including undoing. */
  @Local() @Column('bigint', { default: 1 }) revision: bigint;
  @Local()
  @Column('boolean', {
    default: false,
    comment: 'Whether the history tables hold every change since the genesis block.',
  })
  hasHistory: boolean;
  @Local()
  @Added()
  @Column('integer', {
    default: 0,
    comment:
      'claim_drifts holds the claims up to this height. Below the height of the head in an index that an earlier version began.',
  })
  claimsHeight: number;
  @Local()
  @Added()
  @Column('boolean', {
    default: false,
    comment:
      'Whether accounts.attributes, the weights of rounds and daily_fees hold what every block since the genesis block has changed.',
  })
  hasDetails: boolean;
}
