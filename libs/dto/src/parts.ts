import { bigInteger, flag, integer, text } from './answer-dto.js';

// Fields that several answers have, with one description each.

export const accountKeys = {
  address: text('Address of the account.'),
  publicKey: text(
    'Public key in hexadecimal; null until the account sends a transaction or forges a block.',
  ).nullable(),
};

export const holdings = {
  balance: bigInteger("Spendable balance in arktoshi. The genesis sender's is negative."),
  locked: bigInteger('Amount in open HTLC locks, in arktoshi.'),
};

export const secondKey = {
  secondPublicKey: text('Public key of its second signatures; null if it has none.').nullable(),
};

export const vote = {
  vote: text('Public key of the delegate that the account votes for; null if it does not vote.').nullable(),
};

export const username = { username: text('Name of the delegate.') };

export const delegateKeys = {
  ...username,
  publicKey: text('Public key in hexadecimal.'),
  address: text('Address of its account.'),
};

export const standing = {
  isResigned: flag('Whether it has resigned.'),
  weight: bigInteger('Weight of its votes, in arktoshi.'),
};

export const forgedTotals = {
  producedblocks: integer('Blocks that it has forged.'),
  missedblocks: integer('Rounds in which it was active but forged no block.'),
  fees: bigInteger('Fees of its blocks, in arktoshi.'),
  rewards: bigInteger('Rewards of its blocks, in arktoshi.'),
  forged: bigInteger('Fees and rewards together, in arktoshi.'),
};

export const network = {
  nethash: text('Hash that identifies the network, in hexadecimal.'),
  token: text('Name of the token.'),
  symbol: text('Symbol of the token.'),
  explorer: text("Address of the network's explorer."),
  version: integer("First byte of the network's addresses.", { example: 23 }),
};
