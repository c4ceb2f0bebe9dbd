import { Entity } from 'typeorm';
import { AmountColumn, TextColumn, TextKey } from './columns.js';

@Entity('locks', { comment: 'Open HTLC locks: a claim or a refund removes the row.' })
export class LockEntity {
  @TextKey('transaction_id', 'pk_locks')
  transactionId: string;

  @TextColumn('sender_address')
  senderAddress: string;

  @TextColumn('recipient_address')
  recipientAddress: string;

  @AmountColumn('amount')
  amount: bigint;
}
