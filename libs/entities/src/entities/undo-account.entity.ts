import { Entity } from 'typeorm';
import { AmountColumn, FlagColumn, IntegerKey, TextColumn, TextKey } from './columns.js';

@Entity('undo_accounts', {
  comment: 'Accounts as they were before the block at this height; existed is false for those that it made.',
})
export class UndoAccountEntity {
  @IntegerKey('height', 'pk_undo_accounts')
  height: number;

  @TextKey('address', 'pk_undo_accounts')
  address: string;

  @FlagColumn('existed')
  existed: boolean;

  @TextColumn('public_key', { nullable: true })
  publicKey: string | null;

  @AmountColumn('balance')
  balance: bigint;

  @AmountColumn('locked')
  locked: bigint;

  @TextColumn('vote', { nullable: true })
  vote: string | null;
}
