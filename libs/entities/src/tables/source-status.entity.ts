import { Check, Entity } from 'typeorm';
import { Column, Local, PrimaryColumn } from '../decorators.js';

@Entity('source_status', {
  comment: 'The last answer of the source to the indexer: all that the api knows of the source.',
})
@Check('source_status_id_check', 'id = 1')
export class SourceStatusEntity {
  @Local() @PrimaryColumn('smallint', { default: 1 }) id: number;
  @Column('text') source: string;
  @Column('integer') height: number;
  @Local() @Column('timestamptz', { default: () => 'now()' }) checkedAt: Date;
  /** How often the indexer intends to ask, in milliseconds. */
  @Column('integer', { default: 1000 }) checkIntervalMs: number;
}
