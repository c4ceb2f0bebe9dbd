import { Check, Entity } from 'typeorm';
import { Column, Local, PrimaryColumn } from '../decorators.js';

@Entity('staged_ranges', {
  comment:
    'Blocks that are fetched and checked but not applied yet. Unlogged: ranges lost in a crash are fetched again.',
})
@Check('staged_ranges_check', 'to_height >= from_height')
export class StagedRangeEntity {
  @PrimaryColumn('integer') fromHeight: number;
  @Column('integer') toHeight: number;
  @Column('integer') sizeBytes: number;
  @Column('bytea') blocks: Buffer;
  @Local() @Column('timestamptz', { default: () => 'now()' }) stagedAt: Date;
  @Column('text', { nullable: true }) source: string | null;
}
