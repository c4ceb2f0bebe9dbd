import type { Transaction } from '@roundhouse/chain';
import { Entity, Exclusion, Index } from 'typeorm';
import { Column, PrimaryColumn } from '../decorators.js';

type Kept = Omit<Transaction, 'asset' | 'expiration' | 'senderPublicKey' | 'recipientId'>;

const SIGNATURE = { form: 'signature', nullable: true, comment: 'As blocks.block_signature.' } as const;

@Entity('transactions')
@Exclusion('ux_transactions__id', 'USING hash (id WITH =)')
// Without the position in the block: PostgreSQL sorts within a block, which has at most some hundred transactions.
@Index('ix_transactions__sender', ['sender', 'blockHeight'])
@Index('ix_transactions__recipient', ['recipient', 'blockHeight'], { where: 'recipient IS NOT NULL' })
// Without transfers: they are so frequent that the newest ones are found without an index.
@Index('ix_transactions__type', ['typeGroup', 'type', 'blockHeight', 'sequence'], {
  where: 'type <> 0 OR type_group <> 1',
})
@Index('ix_transactions__unlocked', { synchronize: false })
export class TransactionEntity implements Kept {
  @PrimaryColumn('integer') blockHeight: number;
  /** The index in the block's payload, from 0. */
  @PrimaryColumn('integer') sequence: number;
  @Column('bytea', { form: 'hex' }) id: string;
  @Column('integer', { usual: 2 }) version: number;
  @Column('smallint', { nullable: true }) network: number | null;
  @Column('integer') typeGroup: number;
  @Column('integer') type: number;
  @Column('integer', { nullable: true, comment: 'As signed. Null if the transaction has a nonce.' })
  timestamp: number | null;
  @Column('bigint', { nullable: true }) nonce: bigint | null;
  @Column('integer', { comment: 'Number in public_keys.' }) sender: number;
  @Column('integer', { nullable: true, comment: 'Number in addresses.' }) recipient: number | null;
  @Column('bigint') amount: bigint;
  @Column('bigint') fee: bigint;
  @Column('bigint', { nullable: true, comment: 'A height. Null if the transaction does not expire.' })
  expiration: bigint | null;
  @Column('bytea', { form: 'hex', nullable: true, comment: 'The signed bytes, which need not be UTF-8.' })
  vendorField: string | null;
  @Column('json', { nullable: true, comment: 'Null for types that have none. Amounts are decimal text.' })
  asset: unknown;
  @Column('bytea', SIGNATURE) signature: string | null;
  @Column('bytea', SIGNATURE) secondSignature: string | null;
  @Column('bytea', {
    form: 'hex',
    array: true,
    nullable: true,
    comment: 'Those of the members of a multi-signature account.',
  })
  signatures: readonly string[] | null;
}
