import {
  answerDto,
  bigInteger,
  integer,
  listOf,
  object,
  readyJson,
  responseDto,
  text,
  textList,
} from './answer-dto.js';
import { transactionCursor } from './cursor.js';
import { account, amountText, blockChoice, limit, segment, wholeNumber } from './parameters.js';
import { queryDto } from './query-dto.js';

export class TransactionPathDto extends queryDto({ id: segment('Identifier of the transaction.') }) {}

const filters = {
  sender: account('Address or public key of the sender.').optional(),
  recipient: account(
    'Address or public key of the recipient, or of one of the recipients of a multi-payment.',
  ).optional(),
  type: wholeNumber('Type within `typeGroup`.').optional(),
  typeGroup: wholeNumber('Group of the type; 1 by default if `type` is given.').optional(),
  minAmount: amountText('The smallest amount in arktoshi.').optional(),
  maxAmount: amountText('The largest amount in arktoshi.').optional(),
  minHeight: wholeNumber('The lowest height.').optional(),
  maxHeight: wholeNumber('The largest height.').optional(),
  cursor: transactionCursor(),
  limit: limit('How many transactions to return.', 100).prefault('100'),
};

/** Of a block's transactions, or an account's. */
export class TransactionFiltersQueryDto extends queryDto(filters) {}

export class TransactionsQueryDto extends queryDto({
  ...filters,
  address: account('Address or public key of the sender or of a recipient.').optional(),
  block: blockChoice('Id or height of the block.').optional(),
}) {}

/** Every field that the chain signs, and the place in the chain. */
export class TransactionDto extends answerDto({
  id: text('Identifier of the transaction: 64 hexadecimal characters.'),
  blockId: text('Identifier of its block.'),
  height: integer('Height of its block.'),
  sequence: integer('Place in the block, from 0.'),
  blockTimestamp: integer("Time of its block: seconds since the chain's epoch."),
  confirmations: integer('Blocks on top of its block; 0 in the newest.'),
  version: integer('Version of the transaction.'),
  network: integer("First byte of the network's addresses; null if the transaction does not say.").nullable(),
  typeGroup: integer('Group of its type: 1 for the types of Core.'),
  type: integer('Type within the group. Since Core 2.6, 0 is a transfer.'),
  timestamp: integer(
    "As signed: seconds since the chain's epoch. Null if the transaction has a nonce.",
  ).nullable(),
  nonce: bigInteger('As signed. Null if the transaction has a timestamp.').nullable(),
  senderPublicKey: text('Public key of the sender.'),
  senderId: text('Address of the sender.'),
  recipientId: text(
    'Address of the recipient. Null for types without one; those of a multi-payment are in `asset`.',
  ).nullable(),
  amount: bigInteger('Amount in arktoshi.'),
  fee: bigInteger('Fee in arktoshi.'),
  expiration: bigInteger('Height at which a transfer expires; null if it does not.').nullable(),
  vendorField: text(
    'The vendor field as text; null if there is none, or if its bytes are not UTF-8.',
  ).nullable(),
  vendorFieldHex: text(
    'The signed bytes of the vendor field in hexadecimal; null if there is none.',
  ).nullable(),
  asset: readyJson(
    "What the type needs besides, such as votes or payments, in the form of Core's JSON; amounts are numeric text. Null if nothing.",
  ).nullable(),
  signature: text(
    'Signature of the sender. Null if only members of a multi-signature account signed.',
  ).nullable(),
  secondSignature: text('Second signature of the sender.').nullable(),
  signatures: textList('Signatures of the members of a multi-signature account.').nullable(),
}) {}

export class TransactionsResponseDto extends responseDto({
  transactions: listOf(TransactionDto, 'The transactions, newest first.'),
  nextCursor: text(
    'Send it as `cursor` to get the next page. Null if nothing is left; until then a page may hold fewer than `limit`, or none.',
  ).nullable(),
}) {}

export class TransactionResponseDto extends responseDto({
  transaction: object(TransactionDto, 'The transaction.'),
}) {}
