import {
  answerDto,
  bigInteger,
  integer,
  nextCursor,
  readyListOf,
  readyObject,
  responseDto,
  text,
  type DtoClass,
} from './answer-dto.js';
import { blockCursor } from './cursor.js';
import { blockId, limit, offset, segment } from './parameters.js';
import { queryDto } from './query-dto.js';

export class BlocksQueryDto extends queryDto({
  offset: offset(),
  limit: limit('How many blocks to return.', 100).prefault('100'),
}) {}

export class BlockQueryDto extends queryDto({ id: blockId('Identifier of the block.') }) {}

export class BlockPathDto extends queryDto({
  block: segment('Id or height of the block. A number below 2^31 is a height.'),
}) {}

export class ForgedBlocksQueryDto extends queryDto({
  cursor: blockCursor(),
  limit: limit('How many blocks to return.', 100).prefault('100'),
}) {}

export class BlockDto extends answerDto({
  id: text('Identifier of the block: decimal text, or 64 hexadecimal characters.'),
  version: integer('Version of the block.'),
  timestamp: integer("Seconds since the chain's epoch."),
  previousBlock: text('Identifier of the previous block; "0" for the genesis block.'),
  height: integer('Height of the block.'),
  numberOfTransactions: integer('Number of transactions in the block.'),
  totalAmount: bigInteger('Sum of the amounts of its transactions, in arktoshi.'),
  totalFee: bigInteger('Sum of the fees of its transactions, in arktoshi.'),
  reward: bigInteger('Reward of the block, in arktoshi.'),
  payloadLength: integer('Length of the payload in bytes.'),
  payloadHash: text('Hash of the payload in hexadecimal.'),
  generatorPublicKey: text('Public key of the delegate that forged the block.'),
  blockSignature: text('Signature of the block in hexadecimal.'),
  confirmations: integer('Blocks on top of this one; 0 for the newest.'),
}) {}

export class BlocksResponseDto extends responseDto({
  blocks: readyListOf(BlockDto, 'The blocks, newest first.'),
}) {}

export class ForgedBlocksResponseDto extends responseDto({
  blocks: readyListOf(BlockDto, 'The blocks, newest first.'),
  nextCursor,
}) {}

export class BlockResponseDto extends responseDto({ block: readyObject(BlockDto, 'The block.') }) {}

/** The contract documents an empty object here, without `success`. */
export class FeesResponseDto extends (answerDto({}) as DtoClass<object>) {}

export class FeeResponseDto extends responseDto({ fee: bigInteger('The fee in arktoshi.') }) {}

const epoch = text('Second 0 of the chain, ISO 8601 in UTC.', { format: 'date-time' });
const height = integer('Height of the newest block.');
const milestone = integer('The height divided by 3,000,000, rounded down.');
const nethash = text('Hash that identifies the network, in hexadecimal.');
const reward = bigInteger('Reward of a block at the head, in arktoshi.');
const supply = bigInteger('The genesis amount and all rewards up to the head, in arktoshi.');

export class EpochResponseDto extends responseDto({ epoch }) {}

export class HeightResponseDto extends responseDto({
  height,
  id: text('Identifier of the block at that height.'),
}) {}

export class MilestoneResponseDto extends responseDto({ milestone }) {}

export class NethashResponseDto extends responseDto({ nethash }) {}

export class RewardResponseDto extends responseDto({ reward }) {}

export class StatusResponseDto extends responseDto({
  epoch,
  height,
  fee: bigInteger('Fee of a transfer, in arktoshi.'),
  milestone,
  nethash,
  reward,
  supply,
}) {}

export class SupplyResponseDto extends responseDto({ supply }) {}
