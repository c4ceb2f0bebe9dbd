import {
  answerDto,
  bigInteger,
  integer,
  object,
  readyObject,
  responseDto,
  text,
  textList,
  word,
} from './answer-dto.js';
import { height } from './parameters.js';
import { accountKeys, holdings, vote } from './parts.js';
import { queryDto } from './query-dto.js';

export class ProofQueryDto extends queryDto({
  height: height('The height of a certificate that this index has made.'),
}) {}

class CertifiedAccountDto extends answerDto({
  ...accountKeys,
  ...holdings,
  nonce: integer('How many transactions the account has sent.'),
  ...vote,
  username: text('Name of the delegate that it has registered; null if it has not.').nullable(),
}) {}

class CertifiedRoundDto extends answerDto({
  round: integer('Number of the round.'),
  height: integer('Height of its last block.'),
  digest: text('SHA-256 of the state after it, as `indexer digest --at` prints it.'),
}) {}

class CertificateDto extends answerDto({
  format: word('The format.', ['roundhouse certificate 1']),
  network: text('Name of the network.'),
  nethash: text('Hash that identifies the network, in hexadecimal.'),
  height: integer('Height of the block after which everything here holds.'),
  blockId: text('Identifier of that block.'),
  transactions: integer('Transactions up to it.'),
  delegates: integer('Delegates that were registered.'),
  accounts: integer('Accounts: the leaves of the tree.'),
  supply: bigInteger('Tokens of the genesis block plus all rewards since, in arktoshi.'),
  roundDigest: object(CertifiedRoundDto, 'Of the last round that had ended; null if none had.').nullable(),
  root: text('Root of the Merkle tree over all accounts, in hexadecimal.'),
}) {}

export class ProofResponseDto extends responseDto({
  account: object(CertifiedAccountDto, 'The account after the block at that height: its leaf.'),
  index: integer('Place of the leaf among all, by address, from 0.'),
  path: textList('The hashes from the leaf up to the root, in hexadecimal.'),
  certificate: readyObject(CertificateDto, 'The certificate, with the bytes of its file.'),
}) {}
