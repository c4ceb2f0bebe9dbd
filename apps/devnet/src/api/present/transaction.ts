import type { DevnetChain } from '../../chain/devnet-chain.js';
import type { ForgedTransaction, RawTransaction } from '../../transactions/raw-transaction.js';
import { presentTimestamp } from './timestamp.js';

const commonParts = (transaction: RawTransaction, { state }: DevnetChain): object => {
  const sender = state.addressOf(transaction.senderPublicKey);
  const { signature, secondSignature, signatures, vendorField, asset } = transaction;
  return {
    version: transaction.version,
    type: transaction.type,
    typeGroup: transaction.typeGroup,
    amount: transaction.amount,
    fee: transaction.fee,
    sender,
    senderPublicKey: transaction.senderPublicKey,
    recipient: transaction.recipientId ?? sender,
    // JSON.stringify omits undefined parts.
    signature,
    signSignature: secondSignature,
    signatures,
    vendorField,
    asset,
  };
};

/** Core's form of a transaction in a block. */
export const presentTransaction = (transaction: ForgedTransaction, chain: DevnetChain): object => {
  const { id, blockId, blockHeight, nonce } = transaction;
  return {
    id,
    blockId,
    ...commonParts(transaction, chain),
    confirmations: chain.state.height - blockHeight + 1,
    timestamp: presentTimestamp(chain.timing.epoch, chain.log.read(blockHeight).timestamp),
    nonce,
  };
};

/** Core's form of a transaction in the pool. */
export const presentUnconfirmed = (transaction: RawTransaction, chain: DevnetChain): object => ({
  id: transaction.id,
  ...commonParts(transaction, chain),
  confirmations: 0,
  nonce: transaction.nonce,
});
