import { AccountDto } from './accounts.dto.js';
import { listOf, readyListOf, responseDto } from './answer-dto.js';
import { BlockDto } from './blocks.dto.js';
import { FoundDelegateDto } from './delegates.dto.js';
import { shortText } from './parameters.js';
import { queryDto } from './query-dto.js';
import { TransactionDto } from './transactions.dto.js';

export class SearchQueryDto extends queryDto({
  q: shortText(
    'Part of a username, the beginning of an address (at least four characters), a public key, an id of a block or a transaction, or a height.',
    66,
  ),
}) {}

/** Each list has at most ten objects. */
export class SearchResponseDto extends responseDto({
  delegates: readyListOf(FoundDelegateDto, 'Delegates whose username contains the text.'),
  accounts: listOf(
    AccountDto,
    'The account with this public key, or those whose address begins with the text.',
  ),
  blocks: readyListOf(BlockDto, 'The block with this id or at this height.'),
  transactions: listOf(TransactionDto, 'The transaction with this id.'),
}) {}
