import { Column, Entity } from 'typeorm';
import { ClockColumn, IntegerColumn, IntegerKey } from './columns.js';

@Entity('refused_blocks', {
  comment:
    'Heights at which a source gave a block that cannot be right. Unlogged: what a crash loses is refused again.',
})
export class RefusedBlockEntity {
  @IntegerKey('height', 'pk_refused_blocks')
  height: number;

  @Column({ type: 'text' })
  source: string;

  @Column({ type: 'text' })
  reason: string;

  @IntegerColumn('refusals')
  refusals: number;

  @Column({
    type: 'text',
    array: true,
    comment:
      "Hashes of the newest blocks that passed the source's checks and were refused by the ledger or the tables.",
  })
  contents: string[];

  @ClockColumn('refused_at')
  refusedAt: Date;
}
