import {
  answerDto,
  bigInteger,
  flag,
  integer,
  listOf,
  nextCursor,
  object,
  readyListOf,
  responseDto,
  text,
  word,
} from './answer-dto.js';
import { accountChangeCursor } from './cursor.js';
import { addresses, amountText, choice, height, limit, moment, percent, segment } from './parameters.js';
import { accountKeys, delegateKeys, forgedTotals, holdings, secondKey, standing, vote } from './parts.js';
import { queryDto } from './query-dto.js';

const HEIGHT = 'The answer shows the chain after the block at this height.';

export class PastAccountPathDto extends queryDto({
  address: segment('Address of the account, or its public key.'),
}) {}

export class HeightQueryDto extends queryDto({ height: height(HEIGHT) }) {}

export class AccountChangesQueryDto extends queryDto({
  cursor: accountChangeCursor(),
  limit: limit('How many changes to return.', 100).prefault('100'),
}) {}

export class DelegateRoundsQueryDto extends queryDto({
  limit: limit('How many rounds to return.', 1000).prefault('100'),
}) {}

export class PayoutsQueryDto extends queryDto(
  {
    from: height('The lowest height of the blocks to share.'),
    to: height('The largest height of the blocks to share.'),
    share: percent("The voters' part of each block in percent, with up to 6 decimals.").prefault('100'),
    minimum: amountText('The least weight of a voter that gets something, in arktoshi.').optional(),
    cap: amountText('A larger weight counts as this one, in arktoshi.').optional(),
    exclude: addresses(
      'Addresses that get nothing and whose weight does not count, separated by commas.',
    ).optional(),
    format: choice('JSON, or CSV with the columns address and amount.', 'json', 'csv'),
  },
  ({ from, to }) => from <= to,
  'The parameter "from" must not be larger than "to".',
) {}

export class SeriesQueryDto extends queryDto({
  step: choice('The length of a period, in UTC. Weeks begin on Mondays.', 'day', 'week', 'month'),
  from: moment(
    'The first period is that of this block, day or second. (Default: the first with a block)',
  ).optional(),
  to: moment('The last period is that of this block, day or second. (Default: that of the head)').optional(),
}) {}

const atHeight = { height: integer(HEIGHT) };

class PastAccountDto extends answerDto({
  ...accountKeys,
  ...holdings,
  ...vote,
  voteUsername: text('Username of that delegate; null if there is none.').nullable(),
  ...secondKey,
}) {}

export class PastAccountResponseDto extends responseDto({
  ...atHeight,
  account: object(PastAccountDto, 'The account.'),
}) {}

class AccountChangeDto extends answerDto({
  height: integer('Height of the block that changed something; the amounts and the vote are those after it.'),
  blockId: text('Identifier of that block.'),
  ...holdings,
  ...vote,
}) {}

export class AccountChangesResponseDto extends responseDto({
  changes: listOf(
    AccountChangeDto,
    'The blocks that changed the balance, the locked amount or the vote, newest first.',
  ),
  nextCursor,
}) {}

const period = {
  time: text('When the period begins.', { format: 'date-time' }),
  height: integer('Height of the last block up to its end; the values are those after it.'),
};

class BalancePointDto extends answerDto({ ...period, ...holdings }) {}

export class BalanceSeriesResponseDto extends responseDto({
  points: listOf(
    BalancePointDto,
    'A point for each period, the oldest first. The last one may still change.',
  ),
}) {}

class WeightPointDto extends answerDto({
  ...period,
  weight: bigInteger('Weight of its votes, in arktoshi.'),
  rank: integer(
    'Place by weight at the last round end; null if it was not registered then, or had resigned.',
  ).nullable(),
}) {}

export class WeightSeriesResponseDto extends responseDto({
  points: listOf(
    WeightPointDto,
    'A point for each period since its registration, the oldest first. The last one may still change.',
  ),
}) {}

class PastDelegateDto extends answerDto({
  rank: integer(
    'Place by weight at the last round end; null if it was not registered then, or had resigned.',
  ).nullable(),
  ...delegateKeys,
  ...standing,
  ...forgedTotals,
}) {}

export class PastDelegatesResponseDto extends responseDto({
  ...atHeight,
  delegates: readyListOf(
    PastDelegateDto,
    'All delegates that were registered, by rank, then by username; those without a rank are last.',
  ),
}) {}

/** Its vote weighs `balance` + `locked`. */
class PastVoterDto extends answerDto({ address: text('Address of the account.'), ...holdings }) {}

export class PastVotersResponseDto extends responseDto({
  ...atHeight,
  accounts: readyListOf(
    PastVoterDto,
    'The accounts that voted for the delegate, largest balance first, then by address.',
  ),
}) {}

class DelegateRoundDto extends answerDto({
  round: integer('Number of the round.'),
  height: integer('Height of its last block.'),
  weight: bigInteger('Weight of the votes after that block, in arktoshi.'),
  rank: integer('Place by weight at the end of the round; null if it had resigned.').nullable(),
  forgingWeight: bigInteger(
    'The weight by which nodes chose the forgers of the next round, in arktoshi: `weight` and what claims of locks by third parties move in running nodes, see `forgers`. It may be negative. Null if the index does not know these claims; `indexer status` says so.',
  ).nullable(),
  isActive: flag('Whether it is among the forgers of the next round. Null like `forgingWeight`.').nullable(),
  forgers: word(
    'By which weights the forgers of the next round were chosen, the same for all delegates. clean: by `weight`; no claim by a third party counts. running: all such claims so far count, because the nodes have not restarted. restarted: those since a restart of the nodes count. The blocks of that round tell, so they may change this, too. Null like `forgingWeight`.',
    ['clean', 'running', 'restarted'],
  ).nullable(),
}) {}

export class DelegateRoundsResponseDto extends responseDto({
  rounds: listOf(DelegateRoundDto, 'The last rounds that ended after the registration, newest first.'),
}) {}

export class PastSupplyResponseDto extends responseDto({
  ...atHeight,
  supply: bigInteger('Tokens of the genesis block plus all rewards since, in arktoshi.'),
}) {}

class PayoutDto extends answerDto({
  address: text('Address of the voter.'),
  amount: bigInteger('What it gets, in arktoshi; more than 0.'),
}) {}

/** `shared` + `kept` = `rewards` + `fees`, and the amounts of `payouts` add up to `shared`. */
export class PayoutsResponseDto extends responseDto({
  from: integer('The first height of the range.'),
  to: integer('The last height of the range.'),
  forgedBlocks: integer('Blocks that the delegate forged in the range.'),
  rewards: bigInteger('Rewards of these blocks, in arktoshi.'),
  fees: bigInteger('Fees of these blocks, in arktoshi.'),
  shared: bigInteger('What all voters get together, in arktoshi.'),
  kept: bigInteger(
    "The rest, in arktoshi: the delegate's part, blocks without a voter that counts, and less than one arktoshi that rounding leaves.",
  ),
  payouts: listOf(PayoutDto, 'What each voter gets, largest amount first, then by address.'),
}) {}
