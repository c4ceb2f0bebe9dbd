import type { Ranking } from '@roundhouse/chain';
import { Entity } from 'typeorm';
import { Column, PrimaryColumn } from '../decorators.js';

@Entity('history_rankings', {
  comment: 'The delegates by rank at each round end. Empty without history.',
})
export class HistoryRankingEntity implements Ranking {
  @PrimaryColumn('integer') height: number;
  @Column('integer', { array: true, comment: 'Their numbers.' }) delegates: readonly number[];
}
