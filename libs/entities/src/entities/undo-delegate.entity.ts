import { Entity } from 'typeorm';
import { AmountColumn, FlagColumn, IntegerColumn, IntegerKey, TextKey } from './columns.js';

/** A delegate as it was before the block at `height`; names and addresses never change, so they are not kept. */
@Entity('undo_delegates')
export class UndoDelegateEntity {
  @IntegerKey('height', 'pk_undo_delegates')
  height: number;

  @TextKey('public_key', 'pk_undo_delegates')
  publicKey: string;

  @FlagColumn('existed')
  existed: boolean;

  @AmountColumn('weight')
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
}
