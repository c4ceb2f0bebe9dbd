import type { Block, Transaction } from '@roundhouse/chain';
import { assetOf, assetRecord, type AssetRecord } from './asset-record.js';

type TransactionTuple = readonly [
  id: string,
  type: number,
  typeGroup: number,
  senderPublicKey: string,
  recipientId: string | null,
  amount: string,
  fee: string,
  asset: AssetRecord | null,
];

type BlockTuple = readonly [
  height: number,
  id: string,
  version: number,
  timestamp: number,
  previousBlock: string,
  totalAmount: string,
  totalFee: string,
  reward: string,
  numberOfTransactions: number,
  payloadLength: number,
  payloadHash: string,
  generatorPublicKey: string,
  blockSignature: string,
  transactions: readonly TransactionTuple[],
];

const transactionTuple = (transaction: Transaction): TransactionTuple => [
  transaction.id,
  transaction.type,
  transaction.typeGroup,
  transaction.senderPublicKey,
  transaction.recipientId,
  transaction.amount.toString(),
  transaction.fee.toString(),
  transaction.asset && assetRecord(transaction.asset),
];

const transactionOf = (tuple: TransactionTuple): Transaction => ({
  id: tuple[0],
  type: tuple[1],
  typeGroup: tuple[2],
  senderPublicKey: tuple[3],
  recipientId: tuple[4],
  amount: BigInt(tuple[5]),
  fee: BigInt(tuple[6]),
  asset: tuple[7] && assetOf(tuple[7]),
});

const blockTuple = (block: Block): BlockTuple => [
  block.height,
  block.id,
  block.version,
  block.timestamp,
  block.previousBlock,
  block.totalAmount.toString(),
  block.totalFee.toString(),
  block.reward.toString(),
  block.numberOfTransactions,
  block.payloadLength,
  block.payloadHash,
  block.generatorPublicKey,
  block.blockSignature,
  block.transactions.map(transactionTuple),
];

const blockOf = (tuple: BlockTuple): Block => ({
  height: tuple[0],
  id: tuple[1],
  version: tuple[2],
  timestamp: tuple[3],
  previousBlock: tuple[4],
  totalAmount: BigInt(tuple[5]),
  totalFee: BigInt(tuple[6]),
  reward: BigInt(tuple[7]),
  numberOfTransactions: tuple[8],
  payloadLength: tuple[9],
  payloadHash: tuple[10],
  generatorPublicKey: tuple[11],
  blockSignature: tuple[12],
  transactions: tuple[13].map(transactionOf),
});

/** Blocks as compact JSON: arrays instead of objects, amounts as decimal text, so that no digit is lost. */
export const encodeBlocks = (blocks: readonly Block[]): Buffer =>
  Buffer.from(JSON.stringify(blocks.map(blockTuple)));

/** The reverse of `encodeBlocks`. */
export const decodeBlocks = (bytes: Buffer): Block[] =>
  (JSON.parse(bytes.toString('utf8')) as BlockTuple[]).map(blockOf);
