import { ALL_WEIGHTS_EVERY, type WeightsAt } from '@roundhouse/chain';
import { Entity } from 'typeorm';
import { Column, PrimaryColumn } from '../decorators.js';

@Entity('history_weights', {
  comment: `The weights that the block at this height changed, or of all delegates if the height is a multiple of ${ALL_WEIGHTS_EVERY}. Empty without history.`,
})
export class HistoryWeightsEntity implements WeightsAt {
  @PrimaryColumn('integer') height: number;
  @Column('integer', { array: true, comment: 'Their numbers.' }) delegates: readonly number[];
  @Column('bigint', { array: true, comment: 'In the order of delegates.' }) weights: readonly bigint[];
}
