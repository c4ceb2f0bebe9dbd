import type { Ranking } from '@roundhouse/chain';
import { Entity } from 'typeorm';
import { Column, PrimaryColumn } from '../decorators.js';

@Entity('rankings', {
  comment:
    'The delegates by rank at the last round end of the head, and of each block that undoing can reach. height is that of the last block of a round.',
})
export class RankingEntity implements Ranking {
  @PrimaryColumn('integer') height: number;
  @Column('integer', { array: true, comment: 'Their numbers.' }) delegates: readonly number[];
}
