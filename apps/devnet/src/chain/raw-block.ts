import type { Block } from '@roundhouse/chain';
import { decodeTransaction } from '@roundhouse/source';
import type { ForgedTransaction, RawTransaction } from '../transactions/raw-transaction.js';

/** A block as in a line of an archive: amounts as text, transactions in payload order. */
export interface RawBlock {
  readonly id: string;
  readonly version: number;
  readonly timestamp: number;
  readonly previousBlock: string;
  readonly height: number;
  readonly numberOfTransactions: number;
  readonly totalAmount: string;
  readonly totalFee: string;
  readonly reward: string;
  readonly payloadLength: number;
  readonly payloadHash: string;
  readonly generatorPublicKey: string;
  readonly blockSignature: string;
  readonly transactions: readonly ForgedTransaction[];
}

export const toBlock = (raw: RawBlock): Block => ({
  ...raw,
  totalAmount: BigInt(raw.totalAmount),
  totalFee: BigInt(raw.totalFee),
  reward: BigInt(raw.reward),
  transactions: raw.transactions.map(decodeTransaction),
});

type Header = Omit<Block, 'transactions'>;

export const toRawBlock = (header: Header, transactions: readonly RawTransaction[]): RawBlock => ({
  id: header.id,
  version: header.version,
  timestamp: header.timestamp,
  previousBlock: header.previousBlock,
  height: header.height,
  numberOfTransactions: header.numberOfTransactions,
  totalAmount: header.totalAmount.toString(),
  totalFee: header.totalFee.toString(),
  reward: header.reward.toString(),
  payloadLength: header.payloadLength,
  payloadHash: header.payloadHash,
  generatorPublicKey: header.generatorPublicKey,
  blockSignature: header.blockSignature,
  transactions: transactions.map((transaction, sequence) => ({
    ...transaction,
    blockId: header.id,
    blockHeight: header.height,
    sequence,
  })),
});
