import { Column, Entity, Index } from 'typeorm';
import { IntegerColumn, IntegerKey } from './columns.js';

@Entity('rounds')
@Index('ux_rounds__first_height', ['firstHeight'], { unique: true })
export class RoundEntity {
  @IntegerKey('round', 'pk_rounds')
  round: number;

  @IntegerColumn('first_height')
  firstHeight: number;

  @Column({
    type: 'text',
    name: 'forging_order',
    array: true,
    comment: 'Public keys: the forger of slot s is forging_order[s mod length].',
  })
  forgingOrder: string[];
}
