import { EMPTY_PAYLOAD_HASH, type BlockHeader } from '@roundhouse/chain';
import { Entity, Exclusion, Index } from 'typeorm';
import { Column, PrimaryColumn } from '../decorators.js';

/**
 * SQL of a group of 1,024 heights. `ix_blocks__generator` is by generator and group: a group has several blocks of one
 * generator, whose entries PostgreSQL stores as one, in a third of the space.
 */
export const heightGroup = (height: string): string => `(${height} >> 10)`;

/** A block's header without the id of the previous block, which is in the row of that block. */
@Entity('blocks')
@Index('ix_blocks__generator', { synchronize: false })
@Exclusion('ux_blocks__id', 'USING hash (id WITH =)')
export class BlockEntity implements Omit<BlockHeader, 'previousBlock' | 'generatorPublicKey'> {
  @PrimaryColumn('integer') height: number;
  @Column('bytea', { form: 'block id' }) id: string;
  @Column('integer') version: number;
  @Column('integer') timestamp: number;
  @Column('integer', { usual: 0 }) numberOfTransactions: number;
  @Column('bigint', { usual: 0n }) totalAmount: bigint;
  @Column('bigint', { usual: 0n }) totalFee: bigint;
  @Column('bigint') reward: bigint;
  @Column('integer', { usual: 0 }) payloadLength: number;
  @Column('bytea', {
    form: 'hex',
    usual: EMPTY_PAYLOAD_HASH,
    comment: `Null means ${EMPTY_PAYLOAD_HASH}, the SHA-256 of nothing.`,
  })
  payloadHash: string;
  @Column('integer', { comment: 'Number in public_keys.' }) generator: number;
  @Column('bytea', {
    form: 'signature',
    comment:
      '64 bytes that do not begin with 0 are r and s of an ECDSA signature; a leading 0 is not part of the signature.',
  })
  blockSignature: string;
}
