import { AccountDto } from './accounts.dto.js';
import { BlockDto } from './block.dto.js';
import { FoundDelegateDto } from './delegates.dto.js';
import { ListField, SuccessField } from './fields.js';
import { TransactionDto } from './transactions.dto.js';
import type { ReadyJson } from './write-answer.js';

/** Each list has at most ten objects. */
export class SearchResponseDto {
  @ListField('Delegates whose username contains the text.', () => FoundDelegateDto)
  delegates: ReadyJson;

  @ListField(
    'The account with this public key, or those whose address begins with the text.',
    () => AccountDto,
  )
  accounts: readonly AccountDto[];

  @ListField('The block with this id or at this height.', () => BlockDto)
  blocks: ReadyJson;

  @ListField('The transaction with this id.', () => TransactionDto)
  transactions: readonly TransactionDto[];

  @SuccessField()
  success: true;
}
