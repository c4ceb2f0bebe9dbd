import { rawBlock } from '@roundhouse/blocks';
import { TransactionType, type Block } from '@roundhouse/chain';
import { decodeTransaction } from '@roundhouse/blocks';

/** Core 3.x's form of a transaction, with its place in the chain: amounts are decimal text, keys and hashes hex. */
export interface RawTransaction extends Readonly<Record<string, unknown>> {
  readonly id: string;
  readonly typeGroup: number;
  readonly type: number;
  readonly blockId: string;
  readonly blockHeight: number;
  /** From 0. */
  readonly sequence: number;
}

/** A block as in a line of an archive: amounts as text, transactions in payload order. */
export interface RawBlock extends Omit<ReturnType<typeof rawBlock>, 'transactions'> {
  readonly transactions: readonly RawTransaction[];
}

export const toBlock = (raw: RawBlock): Block => ({
  ...raw,
  totalAmount: BigInt(raw.totalAmount),
  totalFee: BigInt(raw.totalFee),
  reward: BigInt(raw.reward),
  transactions: raw.transactions.map(decodeTransaction),
});

/** In the genesis block, nodes also show the nonces that they count, and the expiration of transfers. */
const numbered = (transactions: readonly Readonly<Record<string, unknown>>[]): object[] => {
  const nonces = new Map<unknown, number>();
  return transactions.map((transaction) => {
    const { version, network, typeGroup, type, timestamp, ...others } = transaction;
    const { senderPublicKey, fee, amount, recipientId, ...rest } = others;
    const nonce = (nonces.get(senderPublicKey) ?? 0) + 1;
    nonces.set(senderPublicKey, nonce);
    return {
      version,
      network,
      typeGroup,
      timestamp,
      nonce: String(nonce),
      senderPublicKey,
      fee,
      amount,
      type,
      ...(recipientId === undefined ? {} : { recipientId }),
      ...(type === TransactionType.Transfer ? { expiration: 0 } : {}),
      ...rest,
    };
  });
};

export const toRawBlock = (block: Block): RawBlock => {
  const raw = rawBlock(block);
  const transactions = block.height === 1 ? numbered(raw.transactions) : raw.transactions;
  return {
    ...raw,
    transactions: transactions.map((transaction, sequence) => ({
      ...(transaction as Pick<RawTransaction, 'id' | 'typeGroup' | 'type'>),
      blockId: block.id,
      blockHeight: block.height,
      sequence,
    })),
  };
};

export function* rawBlocks(blocks: Iterable<Block>): Generator<RawBlock> {
  for (const block of blocks) yield toRawBlock(block);
}
