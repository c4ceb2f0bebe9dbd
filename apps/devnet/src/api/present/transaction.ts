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
    // Absent parts are left out of the JSON text.
    signature,
    signSignature: secondSignature,
    signatures,
    vendorField,
    asset,
  };
};

/** As Core presents a transaction that is in a block. */
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

/** As Core presents a transaction that waits in the pool. */
export const presentUnconfirmed = (transaction: RawTransaction, chain: DevnetChain): object => ({
  id: transaction.id,
  ...commonParts(transaction, chain),
  confirmations: 0,
  nonce: transaction.nonce,
});
