import { Check, Entity } from 'typeorm';
import { Added, Column, Local, PrimaryColumn } from '../decorators.js';

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
  @Local()
  @Added()
  @Column('integer', {
    nullable: true,
    comment: 'FINAL_HEIGHT: no block above it is applied. Null if the chain lives.',
  })
  finalHeight: number | null;
  @Local()
  @Added()
  @Column('bytea', {
    form: 'block id',
    nullable: true,
    comment: 'The block there, once the index has it for good: from then on no source is needed.',
  })
  finalId: string | null;
  @Local()
  @Added()
  @Column('timestamptz', {
    nullable: true,
    comment: 'When all blocks were verified. Nothing changes from then on.',
  })
  provenAt: Date | null;
  @Local()
  @Added()
  @Column('text', { nullable: true, comment: 'Why the end of the chain is not settled or proven.' })
  endProblem: string | null;
}
