import { FlagField, IntegerField, TextField } from './fields.js';

// Fields that several answers have, with one description each; see `join`.

export class AccountKeysDto {
  @TextField('Address of the account.')
  address: string;

  @TextField('Public key in hexadecimal; null until the account sends a transaction or forges a block.', {
    isNullable: true,
  })
  publicKey: string | null;
}

export class HoldingsDto {
  @IntegerField("Spendable balance in arktoshi. The genesis sender's is negative.")
  balance: bigint;

  @IntegerField('Amount in open HTLC locks, in arktoshi.')
  locked: bigint;
}

export class SecondKeyDto {
  @TextField('Public key of its second signatures; null if it has none.', { isNullable: true })
  secondPublicKey: string | null;
}

export class VoteDto {
  @TextField('Public key of the delegate that the account votes for; null if it does not vote.', {
    isNullable: true,
  })
  vote: string | null;
}

export class UsernameDto {
  @TextField('Name of the delegate.')
  username: string;
}

export class DelegateKeysDto extends UsernameDto {
  @TextField('Public key in hexadecimal.')
  publicKey: string;

  @TextField('Address of its account.')
  address: string;
}

export class StandingDto {
  @FlagField('Whether it has resigned.')
  isResigned: boolean;

  @IntegerField('Weight of its votes, in arktoshi.')
  weight: bigint;
}

export class ForgedTotalsDto {
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
