import { isAbsent, ShapeError, UnserialisableError, type JsonObject } from '@roundhouse/chain';
import { computeTransactionId, decodeTransformedTransaction } from '@roundhouse/blocks';
import { isRaw, NAME_ANOTHER } from './core-line.js';

/** The rest of a sentence that begins with the node's name. */
export const FORM_OF_2_0 =
  'shows transactions without what their ids are made of, as the API of Core 2.0 to 2.3 does: without the public keys of ' +
  "their senders, and most versions with the block's timestamp in place of the sender's. No transaction from there can be " +
  `proven: ${NAME_ANOTHER}.`;

/** A sentence for a block with a wrong id. */
export const HIDDEN_IN_2_4 =
  'The API of Core 2.4 shows neither the expirations nor the vendor fields of transactions of version 2, of which their ' +
  `ids are made. If the block has such transactions, ${NAME_ANOTHER}.`;

/** Null if it cannot be told. */
const hasRightId = (shown: unknown): boolean | null => {
  try {
    const transaction = decodeTransformedTransaction(shown);
    const id = transaction.network === null ? null : computeTransactionId(transaction, transaction.network);
    return id === null ? null : id === transaction.id;
  } catch (error) {
    if (error instanceof ShapeError || error instanceof UnserialisableError) return null;
    throw error;
  }
};

/**
 * Whether a node of line 2.x shows transactions in the form of Core 2.0 to 2.3, which does not tell its version. Few ids may
 * be wrong for other reasons: exceptions of the network, and what Core 2.4 hides of transactions of version 2.
 */
export const areIncomplete = (shown: readonly unknown[]): boolean => {
  if (shown.some(isRaw)) return false;
  if (shown.some((one) => isAbsent(one as JsonObject, 'senderPublicKey'))) return true;
  const verdicts = shown.map(hasRightId);
  const countOf = (verdict: boolean): number => verdicts.filter((one) => one === verdict).length;
  return countOf(false) > countOf(true);
};
