import { IntegerField, ListField, ObjectField, SuccessField, TextField, TextListField } from './fields.js';
import type { ReadyJson } from './write-answer.js';

class DelegateIdentityDto {
  @TextField('Name of the delegate.')
  username: string;

  @TextField('Address of its account.')
  address: string;

  @TextField('Public key in hexadecimal.')
  publicKey: string;
}

export class DelegateDto extends DelegateIdentityDto {
  @TextField('Public key of the delegate that this account itself votes for.', { isNullable: true })
  vote: string | null;
}

export class FoundDelegateDto extends DelegateIdentityDto {
  @TextField("Weight of the delegate's votes in arktoshi, as numeric text.")
  vote: string;

  @IntegerField('Blocks that the delegate has forged.')
  producedblocks: number;

  @IntegerField('Rounds in which the delegate was active but forged no block.')
  missedblocks: number;
}

export class VoterDto {
  @TextField('Name of the account if it is a delegate.', { isNullable: true })
  username: string | null;

  @TextField('Address of the account.')
  address: string;

  @TextField('Public key in hexadecimal.')
  publicKey: string;

  @IntegerField('Spendable balance in arktoshi.')
  balance: bigint;
}

export class DelegatesResponseDto {
  @ListField('The delegates.', () => DelegateDto)
  delegates: ReadyJson;

  @SuccessField()
  success: true;
}

export class VotersResponseDto {
  @ListField('The accounts that vote for the delegate.', () => VoterDto)
  accounts: ReadyJson;

  @SuccessField()
  success: true;
}

export class DelegateFeeResponseDto {
  @IntegerField('Fee of a delegate registration, in arktoshi.')
  fee: bigint;

  @ObjectField('The delegate that registered most recently.', () => DelegateDto)
  delegate: ReadyJson;

  @SuccessField()
  success: true;
}

export class DelegateCountResponseDto {
  @IntegerField('Number of delegates, including resigned ones.')
  count: number;

  @SuccessField()
  success: true;
}

export class ForgedResponseDto {
  @IntegerField('Fees of the blocks that the delegate forged, in arktoshi.')
  fees: bigint;

  @IntegerField('Rewards of the blocks that the delegate forged, in arktoshi.')
  rewards: bigint;

  @IntegerField('Fees and rewards together, in arktoshi.')
  forged: bigint;

  @SuccessField()
  success: true;
}

export class DelegateSearchResponseDto {
  @SuccessField()
  success: true;

  @ListField('The delegates whose username contains the text.', () => FoundDelegateDto)
  delegates: ReadyJson;
}

export class NextForgersResponseDto {
  @IntegerField('Height of the newest block.')
  currentBlock: number;

  @IntegerField('Slot of the newest block.')
  currentSlot: number;

  @TextListField('Public keys of the forgers of the next slots, in order.')
  delegates: readonly string[];

  @SuccessField()
  success: true;
}
