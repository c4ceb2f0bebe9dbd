import { Entity, Index } from 'typeorm';
import { AmountColumn, IntegerColumn, IntegerKey, TextColumn } from './columns.js';

@Entity('blocks')
@Index('ux_blocks__id', ['id'], { unique: true })
export class BlockEntity {
  @IntegerKey('height', 'pk_blocks')
  height: number;

  @TextColumn('id')
  id: string;

  @IntegerColumn('version')
  version: number;

  /** Seconds since the chain's epoch. */
  @IntegerColumn('timestamp')
  timestamp: number;

  @TextColumn('previous_block')
  previousBlock: string;

  @IntegerColumn('number_of_transactions')
  numberOfTransactions: number;

  @AmountColumn('total_amount')
  totalAmount: bigint;

  @AmountColumn('total_fee')
  totalFee: bigint;

  @AmountColumn('reward')
  reward: bigint;

  @IntegerColumn('payload_length')
  payloadLength: number;

  @TextColumn('payload_hash')
  payloadHash: string;

  @TextColumn('generator_public_key')
  generatorPublicKey: string;

  @TextColumn('block_signature')
  blockSignature: string;
}
