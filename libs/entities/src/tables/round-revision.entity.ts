import type { RoundRevision } from '@roundhouse/chain';
import { Entity, Index } from 'typeorm';
import { Added, Column, PrimaryColumn } from '../decorators.js';

@Entity('round_revisions', {
  comment:
    'The block at this height showed that its round is forged by these forgers, from its first block on.',
})
@Index('ix_round_revisions__round', ['round'])
export class RoundRevisionEntity implements RoundRevision {
  @PrimaryColumn('integer') height: number;
  @Column('integer') round: number;
  @Column('integer') firstSlot: number;
  @Column('integer') forgottenClaims: number;
  @Column('integer', { array: true }) forgingOrder: readonly number[];
  @Added()
  @Column('bigint', {
    array: true,
    nullable: true,
    comment:
      'The weights by which the forgers were chosen, in their order. Null in rounds of an earlier version.',
  })
  weights: readonly bigint[] | null;
}
