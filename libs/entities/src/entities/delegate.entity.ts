import { Entity, Index } from 'typeorm';
import { AmountColumn, FlagColumn, IntegerColumn, TextColumn, TextKey } from './columns.js';

@Entity('delegates')
@Index('ux_delegates__address', ['address'], { unique: true })
@Index('ux_delegates__username', ['username'], { unique: true })
@Index('ix_delegates__registered', ['registeredHeight', 'registeredSequence'])
export class DelegateEntity {
  @TextKey('public_key', 'pk_delegates')
  publicKey: string;

  @TextColumn('address')
  address: string;

  @TextColumn('username')
  username: string;

  @AmountColumn('weight', {
    comment: 'Sum of balance + locked over the accounts that vote for the delegate.',
  })
  weight: bigint;

  @FlagColumn('is_resigned')
  isResigned: boolean;

  @IntegerColumn('produced_blocks')
  producedBlocks: number;

  @IntegerColumn('missed_blocks')
  missedBlocks: number;

  @AmountColumn('forged_fees')
  forgedFees: bigint;

  @AmountColumn('forged_rewards')
  forgedRewards: bigint;

  @IntegerColumn('registered_height')
  registeredHeight: number;

  @IntegerColumn('registered_sequence')
  registeredSequence: number;
}
