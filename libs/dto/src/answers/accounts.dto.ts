import {
  IntegerField,
  join,
  ListField,
  NextCursorField,
  ObjectField,
  SuccessField,
  TextListField,
} from './fields.js';
import {
  AccountKeysDto,
  ForgedTotalsDto,
  HoldingsDto,
  SecondKeyDto,
  StandingDto,
  UsernameDto,
  VoteDto,
} from './parts.dto.js';

class MembersDto {
  @IntegerField('How many of the members must sign.')
  min: number;

  @TextListField('Public keys of the members.')
  publicKeys: readonly string[];
}

class AccountDelegateDto extends join(UsernameDto, StandingDto, ForgedTotalsDto) {}

class NonceDto {
  @IntegerField('How many transactions the account has sent.')
  nonce: number;
}

class MultiSignatureDto {
  @ObjectField('Members of a multi-signature account; null if it is none.', () => MembersDto, {
    isNullable: true,
  })
  multiSignature: MembersDto | null;
}

export class AccountDto extends join(
  AccountKeysDto,
  HoldingsDto,
  NonceDto,
  SecondKeyDto,
  MultiSignatureDto,
  VoteDto,
) {
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
  @ListField(
    'The accounts, largest balance first; among equal balances, the one that the chain touched first.',
    () => AccountDto,
  )
  accounts: readonly AccountDto[];

  @NextCursorField()
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
