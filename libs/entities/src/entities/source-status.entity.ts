import { Check, Column, Entity } from 'typeorm';
import { ClockColumn, IntegerColumn, SingleRowKey } from './columns.js';

@Entity('source_status', {
  comment: 'What the indexer last heard of the node: all that the api knows of it.',
})
@Check('source_status_id_check', 'id = 1')
export class SourceStatusEntity {
  @SingleRowKey()
  id: number;

  @Column({ type: 'text' })
  source: string;

  @IntegerColumn('height')
  height: number;

  @ClockColumn('checked_at')
  checkedAt: Date;

  /** How often the indexer means to ask, in milliseconds. */
  @Column({ type: 'integer', name: 'check_interval_ms', default: 1000 })
  checkIntervalMs: number;
}
