import { BlockDto } from './block.dto.js';
import { IntegerField, ListField, ObjectField, SuccessField, TextField } from './fields.js';
import type { ReadyJson } from './write-answer.js';

export class BlocksResponseDto {
  @ListField('The blocks, newest first.', () => BlockDto)
  blocks: ReadyJson;

  @SuccessField()
  success: true;
}

export class BlockResponseDto {
  @ObjectField('The block.', () => BlockDto)
  block: ReadyJson;

  @SuccessField()
  success: true;
}

/** The contract documents an empty object here, without `success`. */
export class FeesResponseDto {}

export class FeeResponseDto {
  @IntegerField('The fee in arktoshi.')
  fee: bigint;

  @SuccessField()
  success: true;
}

export class EpochResponseDto {
  @TextField('Second 0 of the chain, ISO 8601 in UTC.', { format: 'date-time' })
  epoch: string;

  @SuccessField()
  success: true;
}

export class HeightResponseDto {
  @IntegerField('Height of the newest block.')
  height: number;

  @TextField('Identifier of the block at that height.')
  id: string;

  @SuccessField()
  success: true;
}

export class MilestoneResponseDto {
  @IntegerField('The height divided by 3,000,000, rounded down.')
  milestone: number;

  @SuccessField()
  success: true;
}

export class NethashResponseDto {
  @TextField('Hash that identifies the network, in hexadecimal.')
  nethash: string;

  @SuccessField()
  success: true;
}

export class RewardResponseDto {
  @IntegerField('Reward of a block at the head, in arktoshi.')
  reward: bigint;

  @SuccessField()
  success: true;
}

export class StatusResponseDto {
  @TextField('Second 0 of the chain, ISO 8601 in UTC.', { format: 'date-time' })
  epoch: string;

  @IntegerField('Height of the newest block.')
  height: number;

  @IntegerField('Fee of a transfer, in arktoshi.')
  fee: bigint;

  @IntegerField('The height divided by 3,000,000, rounded down.')
  milestone: number;

  @TextField('Hash that identifies the network, in hexadecimal.')
  nethash: string;

  @IntegerField('Reward of a block at the head, in arktoshi.')
  reward: bigint;

  @IntegerField('The genesis amount and all rewards up to the head, in arktoshi.')
  supply: bigint;

  @SuccessField()
  success: true;
}

export class SupplyResponseDto {
  @IntegerField('The genesis amount and all rewards up to the head, in arktoshi.')
  supply: bigint;

  @SuccessField()
  success: true;
}
