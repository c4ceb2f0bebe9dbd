import { Check, Column, Entity } from 'typeorm';
import { ClockColumn, IntegerColumn, IntegerKey } from './columns.js';

@Entity('staged_ranges', {
  comment: 'Fetched and checked, not applied yet. Unlogged: what a crash loses is fetched again.',
})
@Check('staged_ranges_check', 'to_height >= from_height')
export class StagedRangeEntity {
  @IntegerKey('from_height', 'staged_ranges_pkey')
  fromHeight: number;

  @IntegerColumn('to_height')
  toHeight: number;

  @IntegerColumn('size_bytes')
  sizeBytes: number;

  @Column({ type: 'bytea', name: 'blocks' })
  blocks: Buffer;

  @ClockColumn('staged_at')
  stagedAt: Date;

  @Column({ type: 'text', nullable: true })
  source: string | null;
}
