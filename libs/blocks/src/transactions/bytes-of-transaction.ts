import { NO_BLOCK_ID, sha256As, type Block, type Transaction } from '@roundhouse/chain';
import { textOfBlock } from '../line/text-of-block.js';
import type { FindPayload } from './payload-of.js';
import { transactionBytes } from './serialise.js';

const UNSIGNED = { signature: false, secondSignature: false, signatures: false };

/** A block that holds the transaction. Its other values do not affect the transaction's bytes. */
const carrier = (transaction: Transaction): Block => ({
  height: 1,
  id: NO_BLOCK_ID,
  version: 0,
  timestamp: 0,
  previousBlock: NO_BLOCK_ID,
  numberOfTransactions: 1,
  totalAmount: 0n,
  totalFee: 0n,
  reward: 0n,
  payloadLength: 0,
  payloadHash: '00'.repeat(32),
  generatorPublicKey: transaction.senderPublicKey,
  blockSignature: '00',
  transactions: [transaction],
});

/**
 * The bytes of a transaction that is being made, without signatures. Writes the transaction as a line and reads it for
 * `transactionBytes`.
 */
export const serialise = (transaction: Transaction, network: number, find: FindPayload): Buffer | null => {
  const text = textOfBlock(carrier(transaction));
  const bytes = transactionBytes(text, text.transaction(0), network, UNSIGNED, find);
  return bytes && Buffer.from(bytes);
};

/** The id that the fields of a transaction give; null for an unknown type. Throws `UnserialisableError`. */
export const computeTransactionId = (transaction: Transaction, network: number): string | null => {
  const text = textOfBlock(carrier(transaction));
  const bytes = transactionBytes(text, text.transaction(0), network);
  return bytes && sha256As('hex', bytes);
};
