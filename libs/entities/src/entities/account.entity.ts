import { Entity, Index } from 'typeorm';
import { AmountColumn, TextColumn, TextKey } from './columns.js';

@Entity('accounts')
@Index('ix_accounts__vote', ['vote'], { where: 'vote IS NOT NULL' })
export class AccountEntity {
  @TextKey('address', 'pk_accounts')
  address: string;

  /** Known from the account's first outgoing transaction on. */
  @TextColumn('public_key', { nullable: true })
  publicKey: string | null;

  @AmountColumn('balance')
  balance: bigint;

  @AmountColumn('locked')
  locked: bigint;

  @TextColumn('vote', {
    nullable: true,
    comment: 'The public key of the delegate that the account votes for.',
  })
  vote: string | null;
}
