import { Entity } from 'typeorm';
import { AmountColumn, FlagColumn, IntegerKey, TextColumn, TextKey } from './columns.js';

/** An open lock as it was before the block at `height`. */
@Entity('undo_locks')
export class UndoLockEntity {
  @IntegerKey('height', 'pk_undo_locks')
  height: number;

  @TextKey('transaction_id', 'pk_undo_locks')
  transactionId: string;

  @FlagColumn('existed')
  existed: boolean;

  @TextColumn('sender_address')
  senderAddress: string;

  @TextColumn('recipient_address')
  recipientAddress: string;

  @AmountColumn('amount')
  amount: bigint;
}
