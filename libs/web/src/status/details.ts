import { parseExactJson, type ExactInteger } from './exact-json.js';

/** A block with all that the API tells of it. Amounts are arktoshi. */
export interface Block {
  readonly id: string;
  readonly version: number;
  /** Seconds since the epoch. */
  readonly timestamp: number;
  readonly previousBlock: string;
  readonly height: number;
  readonly numberOfTransactions: number;
  readonly totalAmount: bigint;
  readonly totalFee: bigint;
  readonly reward: bigint;
  readonly payloadLength: number;
  readonly payloadHash: string;
  readonly generatorPublicKey: string;
  readonly blockSignature: string;
}

export interface Voter {
  readonly username: string | null;
  readonly address: string;
  readonly balance: bigint;
}

interface WrittenBlock extends Omit<Block, 'totalAmount' | 'totalFee' | 'reward'> {
  readonly totalAmount: ExactInteger;
  readonly totalFee: ExactInteger;
  readonly reward: ExactInteger;
}

interface WrittenVoter extends Omit<Voter, 'balance'> {
  readonly balance: ExactInteger;
}

/** Reads the answer of `/api/blocks/get`. */
export const readBlockAnswer = (json: string): Block => {
  const { block } = parseExactJson(json) as { block: WrittenBlock };
  return {
    ...block,
    totalAmount: BigInt(block.totalAmount),
    totalFee: BigInt(block.totalFee),
    reward: BigInt(block.reward),
  };
};

/** Reads the answer of `/api/delegates/voters`. */
export const readVotersAnswer = (json: string): Voter[] => {
  const { accounts } = parseExactJson(json) as { accounts: readonly WrittenVoter[] };
  return accounts.map((account) => ({ ...account, balance: BigInt(account.balance) }));
};
