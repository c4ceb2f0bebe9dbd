import type { Lock } from '@roundhouse/chain';
import { Entity, Index } from 'typeorm';
import { Column, Fixed, PrimaryColumn } from '../decorators.js';
import { undoOf } from '../undo-of.js';

@Index('ix_locks__sender', ['senderAddress'])
@Entity('locks', { comment: 'Open HTLC locks: a claim or a refund removes the row.' })
export class LockEntity implements Lock {
  @PrimaryColumn('bytea', { form: 'hex' }) transactionId: string;
  @Fixed() @Column('text', { collation: 'C' }) senderAddress: string;
  @Fixed() @Column('text', { collation: 'C' }) recipientAddress: string;
  @Fixed() @Column('bigint') amount: bigint;
}

export const UndoLockEntity = undoOf(LockEntity);
