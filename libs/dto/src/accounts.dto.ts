import { answerDto, integer, listOf, nextCursor, object, responseDto, textList } from './answer-dto.js';
import { accountCursor } from './cursor.js';
import { limit, nameSegment } from './parameters.js';
import { accountKeys, forgedTotals, holdings, secondKey, standing, username, vote } from './parts.js';
import { queryDto } from './query-dto.js';

export class AccountPathDto extends queryDto({
  account: nameSegment('Address of the account, its public key, or the username of its delegate.'),
}) {}

export class AccountsQueryDto extends queryDto({
  cursor: accountCursor(),
  limit: limit('How many accounts to return.', 100).prefault('100'),
}) {}

class MembersDto extends answerDto({
  min: integer('How many of the members must sign.'),
  publicKeys: textList('Public keys of the members.'),
}) {}

class AccountDelegateDto extends answerDto({ ...username, ...standing, ...forgedTotals }) {}

export class AccountDto extends answerDto({
  ...accountKeys,
  ...holdings,
  nonce: integer('How many transactions the account has sent.'),
  ...secondKey,
  multiSignature: object(MembersDto, 'Members of a multi-signature account; null if it is none.').nullable(),
  ...vote,
  delegate: object(
    AccountDelegateDto,
    'The delegate that the account has registered; null if it has not.',
  ).nullable(),
}) {}

export class AccountsResponseDto extends responseDto({
  accounts: listOf(
    AccountDto,
    'The accounts, largest balance first; among equal balances, the one that the chain touched first.',
  ),
  nextCursor,
}) {}

export class AccountResponseDto extends responseDto({ account: object(AccountDto, 'The account.') }) {}
