import * as chain from './hand-made-chain.js';

/** JSON as the api writes it, bigint with all its digits. */
export const json = (value: unknown): string => {
  if (typeof value === 'bigint') return value.toString();
  if (Array.isArray(value)) return `[${value.map(json).join(',')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  return `{${Object.entries(value)
    .map(([key, content]) => `${JSON.stringify(key)}:${json(content)}`)
    .join(',')}}`;
};

/** The contract's Block, with its fields in the documented order. */
export const expectedBlock = (height: number) => {
  const row = chain.blockRow(height);
  return {
    id: row.id,
    version: row.version,
    timestamp: row.timestamp,
    previousBlock: row.previousBlock,
    height,
    numberOfTransactions: row.numberOfTransactions,
    totalAmount: row.totalAmount,
    totalFee: row.totalFee,
    reward: row.reward,
    payloadLength: row.payloadLength,
    payloadHash: row.payloadHash,
    generatorPublicKey: row.generatorPublicKey,
    blockSignature: row.blockSignature,
    confirmations: chain.HEAD_HEIGHT - height,
  };
};

const ownVote = (index: number): string | null =>
  chain.accounts.find(({ address }) => address === chain.address(index))?.vote ?? null;

/** The contract's Delegate of list, get and fee answers. */
export const expectedDelegate = (index: number) => ({
  username: chain.delegates[index]!.username,
  address: chain.address(index),
  publicKey: chain.publicKey(index),
  vote: ownVote(index),
});

/** The contract's Delegate of search answers. */
export const expectedFoundDelegate = (index: number) => {
  const { username, weight, producedBlocks, missedBlocks } = chain.delegates[index]!;
  return {
    username,
    address: chain.address(index),
    publicKey: chain.publicKey(index),
    vote: weight.toString(),
    producedblocks: producedBlocks,
    missedblocks: missedBlocks,
  };
};
