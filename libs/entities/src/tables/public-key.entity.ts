import { Entity, Index } from 'typeorm';
import { Column, PrimaryColumn } from '../decorators.js';

@Entity('public_keys', {
  comment:
    'Generators and senders of the stored blocks, numbered from 1 in the order in which the blocks mention them, a block before its transactions. height is that of the first mention.',
})
@Index('ux_public_keys__value', ['value'], { unique: true })
export class PublicKeyEntity {
  @PrimaryColumn('integer') number: number;
  @Column('integer') height: number;
  @Column('bytea', { form: 'hex' }) value: string;
}
