import type { RoundCandidate } from '@roundhouse/chain';
import { Entity } from 'typeorm';
import { Added, Column, PrimaryColumn } from '../decorators.js';

@Entity('round_candidates', {
  comment:
    'The other forgers that a round may have, for the round of the next block and of each block that undoing can reach.',
})
export class RoundCandidateEntity implements RoundCandidate {
  @PrimaryColumn('integer') round: number;
  @PrimaryColumn('integer', { comment: 'From 1, in the order in which they are tried.' }) place: number;
  @Column('integer') firstHeight: number;
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
