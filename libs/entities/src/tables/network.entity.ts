import { Check, Entity } from 'typeorm';
import { Column, Local, PrimaryColumn } from '../decorators.js';

@Entity('network', {
  comment: 'The configuration of the one chain of this index; the indexer writes it before the first block.',
})
@Check('network_id_check', 'id = 1')
export class NetworkEntity {
  @Local() @PrimaryColumn('smallint', { default: 1 }) id: number;
  @Column('text') name: string;
  @Column('text') nethash: string;
  /** `{ network, milestones, exceptions }`, read by `parseNetwork`. Its text depends on the source that sent it. */
  @Local() @Column('jsonb') configuration: Record<string, unknown>;
}
