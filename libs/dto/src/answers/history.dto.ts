import {
  FlagField,
  IntegerField,
  join,
  ListField,
  NextCursorField,
  ObjectField,
  SuccessField,
  TextField,
} from './fields.js';
import {
  AccountKeysDto,
  DelegateKeysDto,
  ForgedTotalsDto,
  HoldingsDto,
  SecondKeyDto,
  StandingDto,
  VoteDto,
} from './parts.dto.js';
import type { ReadyJson } from './write-answer.js';

const HeightField = () => IntegerField('The answer shows the chain after the block at this height.');

class VoteUsernameDto {
  @TextField('Username of that delegate; null if there is none.', { isNullable: true })
  voteUsername: string | null;
}

class PastAccountDto extends join(AccountKeysDto, HoldingsDto, VoteDto, VoteUsernameDto, SecondKeyDto) {}

export class PastAccountResponseDto {
  @HeightField()
  height: number;

  @ObjectField('The account.', () => PastAccountDto)
  account: PastAccountDto;

  @SuccessField()
  success: true;
}

class ChangingBlockDto {
  @IntegerField('Height of the block that changed something; the amounts and the vote are those after it.')
  height: number;

  @TextField('Identifier of that block.')
  blockId: string;
}

class AccountChangeDto extends join(ChangingBlockDto, HoldingsDto, VoteDto) {}

export class AccountChangesResponseDto {
  @ListField(
    'The blocks that changed the balance, the locked amount or the vote, newest first.',
    () => AccountChangeDto,
  )
  changes: readonly AccountChangeDto[];

  @NextCursorField()
  nextCursor: string | null;

  @SuccessField()
  success: true;
}

class PastRankDto {
  @IntegerField(
    'Place by weight at the last round end; null if it was not registered then, or had resigned.',
    {
      isNullable: true,
    },
  )
  rank: number | null;
}

class PastDelegateDto extends join(PastRankDto, DelegateKeysDto, StandingDto, ForgedTotalsDto) {}

export class PastDelegatesResponseDto {
  @HeightField()
  height: number;

  @ListField(
    'All delegates that were registered, by rank, then by username; those without a rank are last.',
    () => PastDelegateDto,
  )
  delegates: ReadyJson;

  @SuccessField()
  success: true;
}

class VoterAddressDto {
  @TextField('Address of the account.')
  address: string;
}

/** Its vote weighs `balance` + `locked`. */
class PastVoterDto extends join(VoterAddressDto, HoldingsDto) {}

export class PastVotersResponseDto {
  @HeightField()
  height: number;

  @ListField(
    'The accounts that voted for the delegate, largest balance first, then by address.',
    () => PastVoterDto,
  )
  accounts: ReadyJson;

  @SuccessField()
  success: true;
}

class DelegateRoundDto {
  @IntegerField('Number of the round.')
  round: number;

  @IntegerField('Height of its last block.')
  height: number;

  @IntegerField('Weight of the votes after that block, in arktoshi.')
  weight: bigint;

  @IntegerField('Place by weight at the end of the round; null if it had resigned.', { isNullable: true })
  rank: number | null;

  @IntegerField(
    'The weight by which nodes chose the forgers of the next round, in arktoshi: `weight` and what claims of locks by third parties move in running nodes, see `forgers`. It may be negative. Null if the index does not know these claims; `indexer status` says so.',
    { isNullable: true },
  )
  forgingWeight: bigint | null;

  @FlagField('Whether it is among the forgers of the next round. Null like `forgingWeight`.', {
    isNullable: true,
  })
  isActive: boolean | null;

  @TextField(
    'By which weights the forgers of the next round were chosen, the same for all delegates. clean: by `weight`; no claim by a third party counts. running: all such claims so far count, because the nodes have not restarted. restarted: those since a restart of the nodes count. The blocks of that round tell, so they may change this, too. Null like `forgingWeight`.',
    { isNullable: true, enum: ['clean', 'running', 'restarted'] },
  )
  forgers: 'clean' | 'running' | 'restarted' | null;
}

export class DelegateRoundsResponseDto {
  @ListField('The last rounds that ended after the registration, newest first.', () => DelegateRoundDto)
  rounds: readonly DelegateRoundDto[];

  @SuccessField()
  success: true;
}

export class PastSupplyResponseDto {
  @HeightField()
  height: number;

  @IntegerField('Tokens of the genesis block plus all rewards since, in arktoshi.')
  supply: bigint;

  @SuccessField()
  success: true;
}

class PayoutDto {
  @TextField('Address of the voter.')
  address: string;

  @IntegerField('What it gets, in arktoshi; more than 0.')
  amount: bigint;
}

/** `shared` + `kept` = `rewards` + `fees`, and the amounts of `payouts` add up to `shared`. */
export class PayoutsResponseDto {
  @IntegerField('The first height of the range.')
  from: number;

  @IntegerField('The last height of the range.')
  to: number;

  @IntegerField('Blocks that the delegate forged in the range.')
  forgedBlocks: number;

  @IntegerField('Rewards of these blocks, in arktoshi.')
  rewards: bigint;

  @IntegerField('Fees of these blocks, in arktoshi.')
  fees: bigint;

  @IntegerField('What all voters get together, in arktoshi.')
  shared: bigint;

  @IntegerField(
    "The rest, in arktoshi: the delegate's part, blocks without a voter that counts, and less than one arktoshi that rounding leaves.",
  )
  kept: bigint;

  @ListField('What each voter gets, largest amount first, then by address.', () => PayoutDto)
  payouts: readonly PayoutDto[];

  @SuccessField()
  success: true;
}
