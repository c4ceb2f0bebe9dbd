import {
  answerDto,
  bigInteger,
  integer,
  readyListOf,
  readyObject,
  responseDto,
  success,
  text,
  textList,
} from './answer-dto.js';
import { delegateOrder, limit, nameSegment, offset, publicKey, shortText } from './parameters.js';
import { delegateKeys } from './parts.js';
import { queryDto } from './query-dto.js';

export class DelegatesQueryDto extends queryDto({
  offset: offset(),
  limit: limit(
    "How many delegates to return; by default the network's number of active delegates.",
    100,
  ).optional(),
  orderBy: delegateOrder(),
}) {}

export class DelegatePathDto extends queryDto({
  delegate: nameSegment('Username or public key of the delegate.'),
}) {}

export class VotersQueryDto extends queryDto({
  publicKey: publicKey('Public key of the delegate.'),
  offset: offset(),
  limit: limit('How many voters to return; by default all.').optional(),
}) {}

export class DelegateQueryDto extends queryDto(
  {
    publicKey: publicKey('Public key of the delegate. Either this or `username` is required.').optional(),
    username: shortText('Exact name of the delegate. Either this or `publicKey` is required.').optional(),
  },
  ({ publicKey, username }) => publicKey !== undefined || username !== undefined,
  'One of the parameters "publicKey" and "username" is required.',
) {}

export class ForgedQueryDto extends queryDto({
  generatorPublicKey: publicKey('Public key of the delegate.'),
}) {}

export class DelegateSearchQueryDto extends queryDto({
  q: shortText('Text that the username contains. ASCII letters match in either case.'),
  offset: offset(),
  limit: limit('How many delegates to return.', 100).prefault('100'),
}) {}

export class NextForgersQueryDto extends queryDto({
  limit: limit(
    "How many forgers to return: 10 by default, at most the network's number of active delegates.",
  ).optional(),
}) {}

const { username, address, publicKey: key } = delegateKeys;
const identity = { username, address, publicKey: key };

class DelegateDto extends answerDto({
  ...identity,
  vote: text('Public key of the delegate that this account itself votes for.').nullable(),
}) {}

export class FoundDelegateDto extends answerDto({
  ...identity,
  vote: text("Weight of the delegate's votes in arktoshi, as numeric text."),
  producedblocks: integer('Blocks that the delegate has forged.'),
  missedblocks: integer('Rounds in which the delegate was active but forged no block.'),
}) {}

export class VoterDto extends answerDto({
  username: text('Name of the account if it is a delegate.').nullable(),
  address: text('Address of the account.'),
  publicKey: text('Public key in hexadecimal.'),
  balance: bigInteger('Spendable balance in arktoshi.'),
}) {}

export class DelegatesResponseDto extends responseDto({
  delegates: readyListOf(DelegateDto, 'The delegates.'),
}) {}

export class VotersResponseDto extends responseDto({
  accounts: readyListOf(VoterDto, 'The accounts that vote for the delegate.'),
}) {}

export class DelegateFeeResponseDto extends responseDto({
  fee: bigInteger('Fee of a delegate registration, in arktoshi.'),
  delegate: readyObject(DelegateDto, 'The delegate that registered most recently.'),
}) {}

export class DelegateCountResponseDto extends responseDto({
  count: integer('Number of delegates, including resigned ones.'),
}) {}

export class ForgedResponseDto extends responseDto({
  fees: bigInteger('Fees of the blocks that the delegate forged, in arktoshi.'),
  rewards: bigInteger('Rewards of the blocks that the delegate forged, in arktoshi.'),
  forged: bigInteger('Fees and rewards together, in arktoshi.'),
}) {}

export class DelegateSearchResponseDto extends answerDto({
  success,
  delegates: readyListOf(FoundDelegateDto, 'The delegates whose username contains the text.'),
}) {}

export class NextForgersResponseDto extends responseDto({
  currentBlock: integer('Height of the newest block.'),
  currentSlot: integer('Slot of the newest block.'),
  delegates: textList('Public keys of the forgers of the next slots, in order.'),
}) {}
