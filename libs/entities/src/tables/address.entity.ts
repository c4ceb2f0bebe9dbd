import { Entity, Index } from 'typeorm';
import { Column, PrimaryColumn } from '../decorators.js';

@Entity('addresses', {
  comment:
    'Recipients of the stored transactions and of the payments in them, numbered as in public_keys; a transaction before its payments.',
})
@Index('ux_addresses__value', ['value'], { unique: true })
export class AddressEntity {
  @PrimaryColumn('integer') number: number;
  @Column('integer') height: number;
  @Column('text', { collation: 'C' }) value: string;
}
