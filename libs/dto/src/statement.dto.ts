import { STATEMENT_KINDS } from '@roundhouse/chain';
import { answerDto, bigInteger, integer, readyListOf, responseDto, text, word } from './answer-dto.js';
import { choice, moment } from './parameters.js';
import { queryDto } from './query-dto.js';

export class StatementQueryDto extends queryDto({
  from: moment(
    'The first block, by its height, or the first day or second, in UTC. (Default: the genesis block)',
  ).optional(),
  to: moment('The last block, day or second, included. (Default: the head)').optional(),
  format: choice(
    'JSON, or CSV with the columns time, height, transaction, kind, counterparty, amount, fee and balance, between a line "opening" and a line "closing".',
    'json',
    'csv',
  ),
}) {}

export class StatementEntryDto extends answerDto({
  time: text('Time of the block.', { format: 'date-time' }),
  height: integer('Height of the block.'),
  transactionId: text('Identifier of the transaction; null for a forged block.').nullable(),
  kind: word(
    'sent and received: a transfer. payment: one of a multi-payment, sent or received. fee: a transaction that only costs its fee. lock: an amount that is locked. claim: a lock that pays the account. refund: a lock that comes back. forged: a block; its reward and the fees in it.',
    STATEMENT_KINDS,
  ),
  counterparty: text('Address of the other side; null if there is none.').nullable(),
  amount: bigInteger('What the balance gains, or loses if it is negative, without `fee`, in arktoshi.'),
  fee: bigInteger('A fee that the account paid, as a negative number, or that it earned, in arktoshi.'),
  balance: bigInteger('The balance afterwards, in arktoshi.'),
}) {}

/** `opening` and all `amount` and `fee` add up to `closing`. */
export class StatementResponseDto extends responseDto({
  address: text('Address of the account.'),
  from: integer('The first height of the range.'),
  to: integer('The last height of the range.'),
  opening: bigInteger('The balance before the block at `from`, in arktoshi.'),
  closing: bigInteger('The balance after the block at `to`, in arktoshi.'),
  entries: readyListOf(StatementEntryDto, 'All changes of the balance, in their order.'),
}) {}
