import { Entity } from 'typeorm';
import { Column, Local, PrimaryColumn } from '../decorators.js';

@Entity('refused_blocks', {
  comment:
    'Heights at which a source returned a block that cannot be right. Unlogged: rows lost in a crash are made again by the next refusal.',
})
export class RefusedBlockEntity {
  @PrimaryColumn('integer') height: number;
  @Column('text') source: string;
  @Column('text') reason: string;
  @Column('integer') refusals: number;
  @Column('text', {
    array: true,
    comment:
      "Hashes of the newest blocks that passed the source's checks and were refused by the ledger or the tables.",
  })
  contents: readonly string[];
  @Local() @Column('timestamptz', { default: () => 'now()' }) refusedAt: Date;
}
