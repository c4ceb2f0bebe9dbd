import { computeBlockId, computePayloadHash, headerBytes } from '@roundhouse/blocks';
import {
  NO_BLOCK_ID,
  sha256,
  type Block,
  type BlockHeader,
  type BlockRef,
  type Transaction,
} from '@roundhouse/chain';
import type { KeyPair } from '../keys/key-pair.js';
import type { Signing } from '../keys/signing.js';

const ID_BYTES = 32;

export interface BlockPlan {
  /** The previous block; null for the genesis block. */
  readonly previous: BlockRef | null;
  /** Seconds since the epoch. */
  readonly timestamp: number;
  /** Arktoshi. */
  readonly reward: bigint;
  readonly transactions: readonly Transaction[];
  readonly forger: KeyPair;
  readonly signing: Signing;
}

const sum = (amounts: readonly bigint[]): bigint => amounts.reduce((total, amount) => total + amount, 0n);

type Unsigned = Omit<BlockHeader, 'id' | 'generatorPublicKey' | 'blockSignature'>;

/** Signs a block as its generator, and sets the id of its contents. */
export const signBlock = (
  contents: Unsigned,
  transactions: readonly Transaction[],
  { forger, signing }: Pick<BlockPlan, 'forger' | 'signing'>,
): Block => {
  const unsigned = { ...contents, generatorPublicKey: forger.publicKey };
  const blockSignature = signing.ecdsa(sha256(headerBytes(unsigned)), forger.privateKey);
  const header = { ...unsigned, blockSignature };
  return { ...header, id: computeBlockId(header, false), transactions };
};

/** Builds and signs a block (protocol.md, "Blocks"). */
export const buildBlock = ({
  previous,
  timestamp,
  reward,
  transactions,
  forger,
  signing,
}: BlockPlan): Block => {
  const contents = {
    version: 0,
    timestamp,
    height: (previous?.height ?? 0) + 1,
    previousBlock: previous?.id ?? NO_BLOCK_ID,
    numberOfTransactions: transactions.length,
    totalAmount: sum(transactions.map((transaction) => transaction.amount)),
    totalFee: sum(transactions.map((transaction) => transaction.fee)),
    reward,
    payloadLength: transactions.length * ID_BYTES,
    payloadHash: computePayloadHash(transactions.map((transaction) => transaction.id)),
  };
  return signBlock(contents, transactions, { forger, signing });
};
