import {
  AccountCursorParameter,
  TransactionCursorParameter,
  type AccountCursor,
  type TransactionCursor,
} from './cursor.js';
import {
  AccountParameter,
  AmountParameter,
  BlockParameter,
  IntegerParameter,
  LimitParameter,
  NamePathParameter,
  PathParameter,
  ShortTextParameter,
  type BlockChoice,
} from './parameter-types.js';

/** A block's transactions, or an account's, also have the parameters of their path. */
class TransactionFilterDto {
  @AccountParameter('Address or public key of the sender.')
  sender?: string;

  @AccountParameter('Address or public key of the recipient, or of one of the recipients of a multi-payment.')
  recipient?: string;

  @IntegerParameter('Type within `typeGroup`.')
  type?: number;

  @IntegerParameter('Group of the type; 1 by default if `type` is given.')
  typeGroup?: number;

  @AmountParameter('The smallest amount in arktoshi.')
  minAmount?: string;

  @AmountParameter('The largest amount in arktoshi.')
  maxAmount?: string;

  @IntegerParameter('The lowest height.')
  minHeight?: number;

  @IntegerParameter('The largest height.')
  maxHeight?: number;

  @TransactionCursorParameter()
  cursor?: TransactionCursor;

  @LimitParameter('How many transactions to return.', { default: '100', largest: 100 })
  limit: number;
}

export class TransactionsQueryDto extends TransactionFilterDto {
  @AccountParameter('Address or public key of the sender or of a recipient.')
  address?: string;

  @BlockParameter('Id or height of the block.')
  block?: BlockChoice;
}

export class TransactionPathDto {
  @PathParameter('Identifier of the transaction.')
  id: string;
}

export class BlockPathDto {
  @PathParameter('Id or height of the block. A number below 2^31 is a height.')
  block: string;
}

export class BlockTransactionsQueryDto extends TransactionFilterDto {
  @PathParameter('Id or height of the block. A number below 2^31 is a height.')
  block: string;
}

export class AccountsQueryDto {
  @AccountCursorParameter()
  cursor?: AccountCursor;

  @LimitParameter('How many accounts to return.', { default: '100', largest: 100 })
  limit: number;
}

const ACCOUNT = 'Address of the account, its public key, or the username of its delegate.';

export class AccountPathDto {
  @NamePathParameter(ACCOUNT)
  account: string;
}

export class AccountTransactionsQueryDto extends TransactionFilterDto {
  @NamePathParameter(ACCOUNT)
  account: string;
}

export class SearchQueryDto {
  @ShortTextParameter(
    'Part of a username, the beginning of an address (at least four characters), a public key, an id of a block or a transaction, or a height.',
    { isRequired: true, longest: 66 },
  )
  q: string;
}
