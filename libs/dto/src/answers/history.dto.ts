import { FlagField, IntegerField, ListField, ObjectField, SuccessField, TextField } from './fields.js';
import type { ReadyJson } from './write-answer.js';

const HeightField = () => IntegerField('The answer shows the chain after the block at this height.');

const BalanceField = () => IntegerField("Spendable balance in arktoshi. The genesis sender's is negative.");

const LockedField = () => IntegerField('Amount in open HTLC locks, in arktoshi.');

const VoteField = () =>
  TextField('Public key of the delegate that the account votes for; null if it does not vote.', {
    isNullable: true,
  });

class PastAccountDto {
  @TextField('Address of the account.')
  address: string;

  @TextField('Public key in hexadecimal; null until the account sends a transaction or forges a block.', {
    isNullable: true,
  })
  publicKey: string | null;

  @BalanceField()
  balance: bigint;

  @LockedField()
  locked: bigint;

  @VoteField()
  vote: string | null;

  @TextField('Username of that delegate; null if there is none.', { isNullable: true })
  voteUsername: string | null;

  @TextField('Public key of its second signatures; null if it has none.', { isNullable: true })
  secondPublicKey: string | null;
}

export class PastAccountResponseDto {
  @HeightField()
  height: number;

  @ObjectField('The account.', () => PastAccountDto)
  account: PastAccountDto;

  @SuccessField()
  success: true;
}

class AccountChangeDto {
  @IntegerField('Height of the block that changed something; the amounts and the vote are those after it.')
  height: number;

  @TextField('Identifier of that block.')
  blockId: string;

  @BalanceField()
  balance: bigint;

  @LockedField()
  locked: bigint;

  @VoteField()
  vote: string | null;
}

export class AccountChangesResponseDto {
  @ListField(
    'The blocks that changed the balance, the locked amount or the vote, newest first.',
    () => AccountChangeDto,
  )
  changes: readonly AccountChangeDto[];

  @TextField('Send it as `cursor` to get the next page; null if nothing is left.', { isNullable: true })
  nextCursor: string | null;

  @SuccessField()
  success: true;
}

class PastDelegateDto {
  @IntegerField(
    'Place by weight at the last round end; null if it was not registered then, or had resigned.',
    {
      isNullable: true,
    },
  )
  rank: number | null;

  @TextField('Name of the delegate.')
  username: string;

  @TextField('Public key in hexadecimal.')
  publicKey: string;

  @TextField('Address of its account.')
  address: string;

  @FlagField('Whether it has resigned.')
  isResigned: boolean;

  @IntegerField('Weight of its votes, in arktoshi.')
  weight: bigint;

  @IntegerField('Blocks that it has forged.')
  producedblocks: number;

  @IntegerField('Rounds in which it was active but forged no block.')
  missedblocks: number;

  @IntegerField('Fees of its blocks, in arktoshi.')
  fees: bigint;

  @IntegerField('Rewards of its blocks, in arktoshi.')
  rewards: bigint;

  @IntegerField('Fees and rewards together, in arktoshi.')
  forged: bigint;
}

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

/** Its vote weighs `balance` + `locked`. */
class PastVoterDto {
  @TextField('Address of the account.')
  address: string;

  @BalanceField()
  balance: bigint;

  @LockedField()
  locked: bigint;
}

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
