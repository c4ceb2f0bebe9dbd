import { AccountChangeCursorParameter, type AccountChangeCursor } from './cursor.js';
import { InvalidRequestError } from './invalid-request.error.js';
import {
  AddressesParameter,
  AmountParameter,
  ChoiceParameter,
  HeightParameter,
  LimitParameter,
  NamePathParameter,
  PathParameter,
  PercentParameter,
} from './parameter-types.js';

const HEIGHT = 'The answer shows the chain after the block at this height.';

export class HeightQueryDto {
  @HeightParameter(HEIGHT)
  height: number;
}

const ACCOUNT = 'Address of the account, or its public key.';

export class PastAccountQueryDto extends HeightQueryDto {
  @PathParameter(ACCOUNT)
  address: string;
}

export class AccountChangesQueryDto {
  @PathParameter(ACCOUNT)
  address: string;

  @AccountChangeCursorParameter()
  cursor?: AccountChangeCursor;

  @LimitParameter('How many changes to return.', { default: '100', largest: 100 })
  limit: number;
}

const DELEGATE = 'Username or public key of the delegate.';

export class PastVotersQueryDto extends HeightQueryDto {
  @NamePathParameter(DELEGATE)
  delegate: string;
}

export class DelegateRoundsQueryDto {
  @NamePathParameter(DELEGATE)
  delegate: string;

  @LimitParameter('How many rounds to return.', { default: '100', largest: 1000 })
  limit: number;
}

export class PayoutsQueryDto {
  @NamePathParameter(DELEGATE)
  delegate: string;

  @HeightParameter('The lowest height of the blocks to share.')
  from: number;

  @HeightParameter('The largest height of the blocks to share.')
  to: number;

  @PercentParameter("The voters' part of each block in percent, with up to 6 decimals.", { default: '100' })
  share: string;

  @AmountParameter('The least weight of a voter that gets something, in arktoshi.')
  minimum?: string;

  @AmountParameter('A larger weight counts as this one, in arktoshi.')
  cap?: string;

  @AddressesParameter('Addresses that get nothing and whose weight does not count, separated by commas.', {
    most: 100,
  })
  exclude?: readonly string[];

  @ChoiceParameter('JSON, or CSV with the columns address and amount.', ['json', 'csv'])
  format: 'json' | 'csv';

  assertValid(): void {
    if (this.from > this.to) {
      throw new InvalidRequestError('The parameter "from" must not be larger than "to".');
    }
  }
}
