import { Check, Column, Entity } from 'typeorm';
import { AmountColumn, ClockColumn, IntegerColumn, SingleRowKey, TextColumn } from './columns.js';

@Entity('head', {
  comment: 'The newest indexed block and the counters that belong to it; absent before the genesis block.',
})
@Check('head_id_check', 'id = 1')
export class HeadEntity {
  @SingleRowKey()
  id: number;

  @IntegerColumn('height')
  height: number;

  @TextColumn('block_id')
  blockId: string;

  /** Seconds since the chain's epoch. */
  @IntegerColumn('timestamp')
  timestamp: number;

  @AmountColumn('supply')
  supply: bigint;

  @IntegerColumn('delegate_count')
  delegateCount: number;

  @ClockColumn('indexed_at')
  indexedAt: Date;

  /** Counts the moves of the head, undoing included. */
  @Column({ type: 'bigint', name: 'revision', default: 1 })
  revision: string;
}
