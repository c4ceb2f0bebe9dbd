import { answerDto, bigInteger, flag, integer, listOf, nextCursor, responseDto, text } from './answer-dto.js';
import { dayCursor } from './cursor.js';
import { limit, moment } from './parameters.js';
import { queryDto } from './query-dto.js';

export class DailyStatisticsQueryDto extends queryDto({
  from: moment('The first day is that of this block, day or second. (Default: that of block 1)').optional(),
  to: moment('The last day is that of this block, day or second. (Default: that of the head)').optional(),
  cursor: dayCursor(),
  limit: limit('How many days to return.', 1000).prefault('100'),
}) {}

class DayDto extends answerDto({
  date: text('The day in UTC, such as 2026-01-31. The time of a block decides to which day it belongs.', {
    format: 'date',
  }),
  isRunning: flag(
    'Whether more blocks of it may come: it is the day of the head, and the chain has not ended.',
  ),
  firstHeight: integer('Height of its first block; null if it has none.').nullable(),
  lastHeight: integer('Height of its last block; null if it has none.').nullable(),
  blocks: integer('Blocks.'),
  missedSlots: integer(
    'Slots in which nobody forged, each counted on the day of the next block. None before block 2.',
  ),
  transactions: integer('Transactions.'),
  volume: bigInteger(
    'The amounts of all transactions, and of the payments in multi-payments, in arktoshi. An amount that is locked counts once, when it is locked.',
  ),
  fees: bigInteger('Fees of the transactions, in arktoshi.'),
  rewards: bigInteger('Rewards of the blocks, in arktoshi.'),
  activeAddresses: integer(
    'Different addresses that sent a transaction, or are the recipient of one or of a payment in one.',
  ),
  newAccounts: integer('Accounts that blocks of the day touched first.'),
  supply: bigInteger('The supply after the last block up to the end of the day, in arktoshi.'),
}) {}

export class DailyStatisticsResponseDto extends responseDto({
  days: listOf(
    DayDto,
    'The days, newest first. A day without blocks has zeros and the supply of the day before.',
  ),
  nextCursor,
}) {}
