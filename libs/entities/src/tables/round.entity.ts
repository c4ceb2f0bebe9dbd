import type { NumberedRound } from '@roundhouse/chain';
import { Entity, Index } from 'typeorm';
import { Added, Column, PrimaryColumn } from '../decorators.js';

@Entity('rounds', {
  comment: 'The forgers of each round as its beginning fixed them. A row of round_revisions replaces them.',
})
@Index('ux_rounds__first_height', ['firstHeight'], { unique: true })
export class RoundEntity implements NumberedRound {
  @PrimaryColumn('integer') round: number;
  @Column('integer') firstHeight: number;
  @Column('integer', {
    array: true,
    comment: 'Numbers of delegates: the forger of slot s is forging_order[(s - first_slot) mod length].',
  })
  forgingOrder: readonly number[];
  @Added()
  @Column('integer', {
    default: 0,
    comment: "0, except by Core 3's rule after the number of active delegates changed.",
  })
  firstSlot: number;
  @Added()
  @Column('integer', {
    default: 0,
    comment: 'How many of the first claim_drifts the weights leave out, because nodes restarted.',
  })
  forgottenClaims: number;
  @Added()
  @Column('bigint', {
    array: true,
    nullable: true,
    comment:
      'The weights by which the forgers were chosen, in their order. Null in rounds of an earlier version.',
  })
  weights: readonly bigint[] | null;
}
