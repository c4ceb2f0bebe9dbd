import {
  answerDto,
  bigInteger,
  flag,
  integer,
  listOf,
  object,
  readyListOf,
  responseDto,
  text,
  word,
} from './answer-dto.js';
import { delegateOrder, limit, offset, publicKey, shortText } from './parameters.js';
import { delegateKeys, forgedTotals, network, standing } from './parts.js';
import { queryDto } from './query-dto.js';

/** Of /delegates.json. */
export class StatusDelegatesQueryDto extends queryDto(
  {
    q: shortText('Text that the username contains. ASCII letters match in either case.').optional(),
    username: shortText('Exact name of one delegate.').optional(),
    publicKey: publicKey('Public key of one delegate.').optional(),
    orderBy: delegateOrder(),
    offset: offset(),
    limit: limit('How many delegates to return.', 100).prefault('100'),
  },
  ({ q, username, publicKey }) => [q, username, publicKey].filter((value) => value !== undefined).length <= 1,
  'Only one of the parameters "q", "username" and "publicKey" is allowed.',
) {}

const forgerName = text(
  "Name of that delegate; null if the key is not a delegate's (genesis block).",
).nullable();

class StatusNetworkDto extends answerDto({
  ...network,
  name: text('Name of the network.'),
  epoch: text('Second 0 of the chain, ISO 8601 in UTC.', { format: 'date-time' }),
  blocktime: integer('Length of a slot in seconds, at the head.'),
  activeDelegates: integer('Delegates that forge in a round, at the head.'),
  reward: bigInteger('Reward of a block at the head, in arktoshi.'),
}) {}

export class SlotDto extends answerDto({
  slot: integer('Number of the slot.'),
  timestamp: integer("When it begins: seconds since the chain's epoch."),
  publicKey: text('Public key of the delegate that has the slot or forged in it.'),
  username: forgerName,
  state: word(
    'Whether a block was forged in it. Compare `timestamp` of a due slot with the clock to see lateness.',
    ['forged', 'missed', 'due'],
  ),
  height: integer('Height of its block; null if there is none.').nullable(),
}) {}

const round = {
  round: integer('Number of the round.'),
  firstHeight: integer('Height of its first block.'),
  lastHeight: integer('Height of its last block.'),
};

class CurrentRoundDto extends answerDto({
  ...round,
  missedSlots: integer('Slots that have passed without a block so far.'),
  slots: listOf(SlotDto, 'Its slots in order: the newest of those that passed, then those that are due.'),
}) {}

export class PastRoundDto extends answerDto({
  ...round,
  blocks: integer('Number of its blocks.'),
  seconds: integer('Seconds from the last block of the previous round to its own last block.'),
  missedSlots: integer('Slots that passed without a block.'),
}) {}

class StatusDelegateDto extends answerDto({
  rank: integer(
    'Rank by weight at the head; resigned delegates come last. Null beyond rank 5,000, except in a list by rank without `q`.',
  ).nullable(),
  ...delegateKeys,
  isActive: flag('Whether it forges in the round of the next block.'),
  ...standing,
  approval: integer('Its weight as a share of the supply, in hundredths of a percent, rounded down.'),
  ...forgedTotals,
}) {}

class NewestBlockDto extends answerDto({
  height: integer('Height of the block.'),
  id: text('Identifier of the block.'),
  timestamp: integer("Seconds since the chain's epoch."),
  generatorPublicKey: text('Public key of the delegate that forged it.'),
  username: forgerName,
  numberOfTransactions: integer('Number of its transactions.'),
  totalAmount: bigInteger('Sum of their amounts, in arktoshi.'),
  totalFee: bigInteger('Sum of their fees, in arktoshi.'),
  reward: bigInteger('Reward of the block, in arktoshi.'),
  forged: bigInteger('Reward and fees together, in arktoshi.'),
}) {}

/** Where and when a chain has ended. */
export const chainEnd = {
  height: integer('Height of the last block.'),
  id: text('Identifier of that block.'),
  forgedAt: text('When it was forged.', { format: 'date-time' }),
  provenAt: text('When all blocks were verified; null until then. Nothing changes from then on.', {
    format: 'date-time',
  }).nullable(),
};

class ChainEndDto extends answerDto(chainEnd) {}

const head = {
  height: integer('Height of the newest indexed block.'),
  id: text('Identifier of that block.'),
};

/** What a page about the chain shows, at one head. Its size does not depend on the number of delegates. */
export class ChainStatusResponseDto extends responseDto({
  ...head,
  timestamp: integer("Seconds since the chain's epoch."),
  supply: bigInteger('Tokens in existence, in arktoshi.'),
  indexedAt: text('When that block was indexed.', { format: 'date-time' }),
  sourceHeight: integer('Last known height of the node; null if it is unknown.').nullable(),
  ended: object(ChainEndDto, 'Where the chain has ended; null while it lives.').nullable(),
  lastEventId: text('Newest event of /events at this head; null if there is none yet.').nullable(),
  network: object(StatusNetworkDto, 'The network that this API serves.'),
  round: object(CurrentRoundDto, 'The round of the next block.'),
  rounds: listOf(PastRoundDto, 'The newest rounds that ended, oldest first.'),
  delegateCount: integer('Number of delegates, including resigned ones.'),
  totalWeight: bigInteger(
    'Sum of the weights of all delegates, in arktoshi. If there are more than 5,000, only the first 5,000 by rank count.',
  ),
  delegates: readyListOf(
    StatusDelegateDto,
    'The delegates that forge in the round of the next block, by rank.',
  ),
  blocks: readyListOf(NewestBlockDto, 'The newest blocks, newest first.'),
}) {}

export class StatusDelegatesResponseDto extends responseDto({
  ...head,
  count: integer('Number of the delegates that match, on all pages.'),
  delegates: readyListOf(StatusDelegateDto, 'The delegates of this page.'),
}) {}
