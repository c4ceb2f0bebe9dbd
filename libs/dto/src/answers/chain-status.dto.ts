import { FlagField, IntegerField, join, ListField, ObjectField, SuccessField, TextField } from './fields.js';
import { NetworkDto } from './loader.dto.js';
import { DelegateKeysDto, ForgedTotalsDto, StandingDto } from './parts.dto.js';
import type { ReadyJson } from './write-answer.js';

const ForgerNameField = () =>
  TextField("Name of that delegate; null if the key is not a delegate's (genesis block).", {
    isNullable: true,
  });

class StatusNetworkDto extends NetworkDto {
  @TextField('Name of the network.')
  name: string;

  @TextField('Second 0 of the chain, ISO 8601 in UTC.', { format: 'date-time' })
  epoch: string;

  @IntegerField('Length of a slot in seconds, at the head.')
  blocktime: number;

  @IntegerField('Delegates that forge in a round, at the head.')
  activeDelegates: number;

  @IntegerField('Reward of a block at the head, in arktoshi.')
  reward: bigint;
}

export class SlotDto {
  @IntegerField('Number of the slot.')
  slot: number;

  @IntegerField("When it begins: seconds since the chain's epoch.")
  timestamp: number;

  @TextField('Public key of the delegate that has the slot or forged in it.')
  publicKey: string;

  @ForgerNameField()
  username: string | null;

  @TextField(
    'Whether a block was forged in it. Compare `timestamp` of a due slot with the clock to see lateness.',
    {
      enum: ['forged', 'missed', 'due'],
    },
  )
  state: 'forged' | 'missed' | 'due';

  @IntegerField('Height of its block; null if there is none.', { isNullable: true })
  height: number | null;
}

class RoundDto {
  @IntegerField('Number of the round.')
  round: number;

  @IntegerField('Height of its first block.')
  firstHeight: number;

  @IntegerField('Height of its last block.')
  lastHeight: number;
}

class CurrentRoundDto extends RoundDto {
  @IntegerField('Slots that have passed without a block so far.')
  missedSlots: number;

  @ListField('Its slots in order: the newest of those that passed, then those that are due.', () => SlotDto)
  slots: readonly SlotDto[];
}

export class PastRoundDto extends RoundDto {
  @IntegerField('Number of its blocks.')
  blocks: number;

  @IntegerField('Seconds from the last block of the previous round to its own last block.')
  seconds: number;

  @IntegerField('Slots that passed without a block.')
  missedSlots: number;
}

class RankDto {
  @IntegerField(
    'Rank by weight at the head; resigned delegates come last. Null beyond rank 5,000, except in a list by rank without `q`.',
    { isNullable: true },
  )
  rank: number | null;
}

class ActivityDto {
  @FlagField('Whether it forges in the round of the next block.')
  isActive: boolean;
}

class ApprovalDto {
  @IntegerField('Its weight as a share of the supply, in hundredths of a percent, rounded down.')
  approval: number;
}

class StatusDelegateDto extends join(
  RankDto,
  DelegateKeysDto,
  ActivityDto,
  StandingDto,
  ApprovalDto,
  ForgedTotalsDto,
) {}

class NewestBlockDto {
  @IntegerField('Height of the block.')
  height: number;

  @TextField('Identifier of the block.')
  id: string;

  @IntegerField("Seconds since the chain's epoch.")
  timestamp: number;

  @TextField('Public key of the delegate that forged it.')
  generatorPublicKey: string;

  @ForgerNameField()
  username: string | null;

  @IntegerField('Number of its transactions.')
  numberOfTransactions: number;

  @IntegerField('Sum of their amounts, in arktoshi.')
  totalAmount: bigint;

  @IntegerField('Sum of their fees, in arktoshi.')
  totalFee: bigint;

  @IntegerField('Reward of the block, in arktoshi.')
  reward: bigint;

  @IntegerField('Reward and fees together, in arktoshi.')
  forged: bigint;
}

/** What a page about the chain shows, at one head. Its size does not depend on the number of delegates. */
export class ChainStatusResponseDto {
  @IntegerField('Height of the newest indexed block.')
  height: number;

  @TextField('Identifier of that block.')
  id: string;

  @IntegerField("Seconds since the chain's epoch.")
  timestamp: number;

  @IntegerField('Tokens in existence, in arktoshi.')
  supply: bigint;

  @TextField('When that block was indexed.', { format: 'date-time' })
  indexedAt: string;

  @IntegerField('Last known height of the node; null if it is unknown.', {
    isNullable: true,
  })
  sourceHeight: number | null;

  @TextField('Newest event of /events at this head; null if there is none yet.', { isNullable: true })
  lastEventId: string | null;

  @ObjectField('The network that this API serves.', () => StatusNetworkDto)
  network: StatusNetworkDto;

  @ObjectField('The round of the next block.', () => CurrentRoundDto)
  round: CurrentRoundDto;

  @ListField('The newest rounds that ended, oldest first.', () => PastRoundDto)
  rounds: readonly PastRoundDto[];

  @IntegerField('Number of delegates, including resigned ones.')
  delegateCount: number;

  @IntegerField(
    'Sum of the weights of all delegates, in arktoshi. If there are more than 5,000, only the first 5,000 by rank count.',
  )
  totalWeight: bigint;

  @ListField('The delegates that forge in the round of the next block, by rank.', () => StatusDelegateDto)
  delegates: ReadyJson;

  @ListField('The newest blocks, newest first.', () => NewestBlockDto)
  blocks: ReadyJson;

  @SuccessField()
  success: true;
}

/** A page of delegates, at one head. */
export class StatusDelegatesResponseDto {
  @IntegerField('Height of the newest indexed block.')
  height: number;

  @TextField('Identifier of that block.')
  id: string;

  @IntegerField('Number of the delegates that match, on all pages.')
  count: number;

  @ListField('The delegates of this page.', () => StatusDelegateDto)
  delegates: ReadyJson;

  @SuccessField()
  success: true;
}
