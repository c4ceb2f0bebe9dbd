import type { SumsAtBlock } from '@roundhouse/chain';
import { Entity } from 'typeorm';
import { Column, PrimaryColumn } from '../decorators.js';

@Entity('state_sums', {
  comment:
    'The sums from which round digests are computed, at the head and at each block that undoing can reach. Empty in an index that began without this table.',
})
export class StateSumsEntity implements SumsAtBlock {
  @PrimaryColumn('integer') height: number;
  @Column('bytea', { name: 'block_id', form: 'block id' }) id: string;
  @Column('bytea', { form: 'hex' }) accounts: string;
  @Column('bytea', { form: 'hex' }) delegates: string;
  @Column('bytea', { form: 'hex' }) locks: string;
}
