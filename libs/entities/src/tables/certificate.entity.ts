import { PAGE_LEAVES } from '@roundhouse/chain';
import { Entity } from 'typeorm';
import { Column, PrimaryColumn } from '../decorators.js';

@Entity('certificates', {
  comment: 'The certificates that were made. Undoing a block removes those of its height and above.',
})
export class CertificateEntity {
  @PrimaryColumn('integer') height: number;
  @Column('text', { comment: 'The bytes of its file.' }) document: string;
}

@Entity('certificate_pages', {
  comment: `The leaves of the trees of certificates by address, ${PAGE_LEAVES} to a row.`,
})
export class CertificatePageEntity {
  @PrimaryColumn('integer') height: number;
  @PrimaryColumn('integer', { comment: 'From 0.' }) page: number;
  @Column('text', { collation: 'C', comment: 'That of the first leaf.' }) firstAddress: string;
  @Column('bytea', { form: 'hex', comment: 'The root over the leaves of this row.' }) root: string;
  @Column('text', { array: true }) leaves: readonly string[];
}
