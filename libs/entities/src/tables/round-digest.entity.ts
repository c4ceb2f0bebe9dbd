import type { RoundDigest } from '@roundhouse/chain';
import { Entity } from 'typeorm';
import { Column, PrimaryColumn } from '../decorators.js';

@Entity('round_digests', {
  comment:
    'Digests of the derived tables after the last block of each round. Two indexes with the same state have the same digests.',
})
export class RoundDigestEntity implements RoundDigest {
  @PrimaryColumn('integer') round: number;
  @Column('integer') height: number;
  @Column('bytea', { form: 'hex' }) accounts: string;
  @Column('bytea', { form: 'hex' }) delegates: string;
  @Column('bytea', { form: 'hex' }) locks: string;
  @Column('bytea', { form: 'hex' }) digest: string;
}
