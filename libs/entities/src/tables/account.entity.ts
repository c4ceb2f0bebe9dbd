import type { Account } from '@roundhouse/chain';
import { Entity, Index } from 'typeorm';
import { Added, Column, Fixed, PrimaryColumn } from '../decorators.js';
import { undoOf } from '../undo-of.js';

@Entity('accounts')
@Index('ix_accounts__vote', ['vote'], { where: 'vote IS NOT NULL' })
// The largest balance first.
@Index('ix_accounts__balance', ['balance', 'number'])
@Index('ix_accounts__voters', ['vote', 'balance', 'number'], { where: 'vote IS NOT NULL' })
@Index('ix_accounts__attributes', ['number'], { where: 'attributes IS NOT NULL' })
export class AccountEntity implements Account {
  @PrimaryColumn('text', { collation: 'C' }) address: string;
  @Fixed()
  @Column('integer', {
    comment: 'Counts the accounts in the order in which blocks first touch them, from 1.',
  })
  number: number;
  @Column('bytea', { form: 'hex', nullable: true }) publicKey: string | null;
  @Column('bigint') balance: bigint;
  @Column('bigint') locked: bigint;
  @Column('bytea', {
    form: 'hex',
    nullable: true,
    comment: 'The public key of the delegate that the account votes for.',
  })
  vote: string | null;
  @Column('integer', { comment: 'How many transactions the account has sent.' }) nonce: number;
  @Column('bytea', { form: 'hex', nullable: true }) secondPublicKey: string | null;
  @Column('bytea', {
    form: 'hex',
    nullable: true,
    comment:
      'The members of a multi-signature account: one byte for how many must sign, then their keys of 33 bytes.',
  })
  multiSignature: string | null;
  @Added()
  @Column('text', {
    nullable: true,
    comment:
      'JSON with sorted keys: the attributes business, entities and ipfs of a wallet of Core 3.9, and multiSignature if version 1 registered it. Null for most accounts.',
  })
  attributes: string | null;
}

export const UndoAccountEntity = undoOf(AccountEntity, {
  comment:
    'Accounts as they were before the block at this height; existed is false for accounts that the block created.',
});
