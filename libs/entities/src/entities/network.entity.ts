import { Check, Column, Entity } from 'typeorm';
import { SingleRowKey } from './columns.js';

@Entity('network', {
  comment:
    'The one chain of this index, as its configuration has it; written by the indexer before the first block.',
})
@Check('network_id_check', 'id = 1')
export class NetworkEntity {
  @SingleRowKey()
  id: number;

  @Column({ type: 'text' })
  name: string;

  @Column({ type: 'text' })
  nethash: string;

  /** `{ network, milestones, exceptions }`, read by `parseNetwork`. */
  @Column({ type: 'jsonb' })
  configuration: Record<string, unknown>;
}
