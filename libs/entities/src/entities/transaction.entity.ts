import { Column, Entity, Index } from 'typeorm';
import { AmountColumn, IntegerColumn, IntegerKey, TextColumn } from './columns.js';

@Entity('transactions')
@Index('ux_transactions__id', ['id'], { unique: true })
export class TransactionEntity {
  @IntegerKey('block_height', 'pk_transactions')
  blockHeight: number;

  /** The place in the block's payload, from 0. */
  @IntegerKey('sequence', 'pk_transactions')
  sequence: number;

  @TextColumn('id')
  id: string;

  @IntegerColumn('type_group')
  typeGroup: number;

  @IntegerColumn('type')
  type: number;

  @TextColumn('sender_public_key')
  senderPublicKey: string;

  @TextColumn('recipient_id', { nullable: true })
  recipientId: string | null;

  @AmountColumn('amount')
  amount: bigint;

  @AmountColumn('fee')
  fee: bigint;

  @Column({
    type: 'json',
    name: 'asset',
    nullable: true,
    comment:
      'What moves accounts of it: username, votes, payments or lockTransactionId; absent in transactions of other types, and in those stored before this column was.',
  })
  asset: unknown;
}
