import {
  FlagField,
  IntegerField,
  ListField,
  ObjectField,
  SuccessField,
  TextField,
  TextListField,
} from './fields.js';

class MembersDto {
  @IntegerField('How many of the members must sign.')
  min: number;

  @TextListField('Public keys of the members.')
  publicKeys: readonly string[];
}

class AccountDelegateDto {
  @TextField('Name of the delegate.')
  username: string;

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

export class AccountDto {
  @TextField('Address of the account.')
  address: string;

  @TextField('Public key in hexadecimal; null until the account sends a transaction or forges a block.', {
    isNullable: true,
  })
  publicKey: string | null;

  @IntegerField("Spendable balance in arktoshi. The genesis sender's is negative.")
  balance: bigint;

  @IntegerField('Amount in open HTLC locks, in arktoshi.')
  locked: bigint;

  @IntegerField('How many transactions the account has sent.')
  nonce: number;

  @TextField('Public key of its second signatures; null if it has none.', { isNullable: true })
  secondPublicKey: string | null;

  @ObjectField('Members of a multi-signature account; null if it is none.', () => MembersDto, {
    isNullable: true,
  })
  multiSignature: MembersDto | null;

  @TextField('Public key of the delegate that the account votes for; null if it does not vote.', {
    isNullable: true,
  })
  vote: string | null;

  @ObjectField(
    'The delegate that the account has registered; null if it has not.',
    () => AccountDelegateDto,
    {
      isNullable: true,
    },
  )
  delegate: AccountDelegateDto | null;
}

export class AccountsResponseDto {
  @ListField('The accounts, largest balance first; equal balances by address.', () => AccountDto)
  accounts: readonly AccountDto[];

  @TextField('Send it as `cursor` to get the next page; null if nothing is left.', { isNullable: true })
  nextCursor: string | null;

  @SuccessField()
  success: true;
}

export class AccountResponseDto {
  @ObjectField('The account.', () => AccountDto)
  account: AccountDto;

  @SuccessField()
  success: true;
}
