import {
  isTypeWithAsset,
  TransactionType,
  type Block,
  type Transaction,
  type TransactionAsset,
  type TypeWithAsset,
} from '@roundhouse/chain';

const ENCODERS: Readonly<Record<TypeWithAsset, (asset: TransactionAsset) => unknown>> = {
  [TransactionType.DelegateRegistration]: ({ username }) => ({ delegate: { username } }),
  [TransactionType.Vote]: ({ votes }) => ({ votes }),
  [TransactionType.MultiPayment]: ({ payments = [] }) => ({
    payments: payments.map(({ recipientId, amount }) => ({ recipientId, amount: amount.toString() })),
  }),
  [TransactionType.HtlcClaim]: ({ lockTransactionId }) => ({ claim: { lockTransactionId } }),
  [TransactionType.HtlcRefund]: ({ lockTransactionId }) => ({ refund: { lockTransactionId } }),
};

const rawTransaction = ({ id, type, typeGroup, asset, ...rest }: Transaction) => {
  const encoded = asset && isTypeWithAsset(type) ? ENCODERS[type](asset) : null;
  return {
    id,
    type,
    typeGroup,
    senderPublicKey: rest.senderPublicKey,
    ...(rest.recipientId === null ? {} : { recipientId: rest.recipientId }),
    amount: rest.amount.toString(),
    fee: rest.fee.toString(),
    ...(encoded ? { asset: encoded } : {}),
  };
};

/**
 * A block as one line of an archive, without the line break. `decodeBlock` reads exactly this block from it. Of its
 * transactions, the line holds what moves accounts: no signatures, nonces or texts.
 */
export const archiveLine = (block: Block): string =>
  JSON.stringify({
    id: block.id,
    version: block.version,
    timestamp: block.timestamp,
    previousBlock: block.previousBlock,
    height: block.height,
    numberOfTransactions: block.numberOfTransactions,
    totalAmount: block.totalAmount.toString(),
    totalFee: block.totalFee.toString(),
    reward: block.reward.toString(),
    payloadLength: block.payloadLength,
    payloadHash: block.payloadHash,
    generatorPublicKey: block.generatorPublicKey,
    blockSignature: block.blockSignature,
    transactions: block.transactions.map(rawTransaction),
  });
