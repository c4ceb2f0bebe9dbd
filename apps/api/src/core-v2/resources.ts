import { CORE_TYPE_GROUP, mayExpire, TransactionType } from '@roundhouse/chain';
import { ReadyJson } from '@roundhouse/dto';
import type { CoreBlockRow, CoreStoredTransactionRow, CoreTransactionRow } from '@roundhouse/readers';
import type { ChainView } from '../chain/chain-tracker.service.js';

// How a block or a transaction looks, transformed and raw (`transform=false`). Fields that are undefined are absent.

/** @param epoch seconds since the chain's epoch */
export const shownTime = (epoch: number, { constants }: ChainView) => {
  const date = new Date(Date.parse(constants.epoch) + epoch * 1000);
  return { epoch, unix: date.getTime() / 1000, human: date.toISOString() };
};

export const shownBlock = (block: CoreBlockRow, chain: ChainView) => ({
  id: block.id,
  version: block.version,
  height: block.height,
  previous: block.previousBlock,
  forged: {
    reward: block.reward,
    fee: block.totalFee,
    amount: block.totalAmount + block.paid,
    total: block.reward + block.totalFee,
  },
  payload: { hash: block.payloadHash, length: block.payloadLength },
  generator: {
    username: block.username ?? undefined,
    address: chain.addresses.addressOf(block.generatorPublicKey),
    publicKey: block.generatorPublicKey,
  },
  signature: block.blockSignature,
  confirmations: chain.head.height - block.height,
  transactions: block.numberOfTransactions,
  timestamp: shownTime(block.timestamp, chain),
});

export const rawBlock = ({ paid: _, username: __, ...block }: CoreBlockRow) => block;

/** Eight bytes of an id in hexadecimal, or an id that is hexadecimal anyway. */
const hexOfId = (id: string): string => (id.length === 64 ? id : BigInt(id).toString(16).padStart(16, '0'));

/** The first and the last block, which a node has in memory, have their ids in hexadecimal, too. */
export const rawBlockInMemory = (block: CoreBlockRow) => ({
  ...rawBlock(block),
  idHex: hexOfId(block.id),
  previousBlockHex: hexOfId(block.previousBlock),
});

/** A vote of version 1 names its sender as the recipient. */
const recipientOf = (transaction: CoreStoredTransactionRow, sender: string): string | undefined => {
  const { recipientId, version, typeGroup, type } = transaction;
  const isVote = typeGroup === CORE_TYPE_GROUP && type === TransactionType.Vote;
  return recipientId ?? (version === 1 && isVote ? sender : undefined);
};

const partsOf = ({ signature, signatures, vendorField, asset }: CoreStoredTransactionRow) => ({
  signature: signature ?? undefined,
  signatures: signatures ?? undefined,
  vendorField: vendorField?.toString(),
  asset: asset === null ? undefined : new ReadyJson(asset),
});

const shown = (transaction: CoreTransactionRow, chain: ChainView, confirmations: number, time?: number) => {
  const { senderPublicKey } = transaction;
  const sender = chain.addresses.addressOf(senderPublicKey);
  const { signature, signatures, vendorField, asset } = partsOf(transaction);
  return {
    id: transaction.id,
    blockId: transaction.blockId,
    version: transaction.version,
    type: transaction.type,
    typeGroup: transaction.typeGroup,
    amount: transaction.amount,
    fee: transaction.fee,
    sender,
    senderPublicKey,
    recipient: transaction.recipientId ?? sender,
    signature,
    signSignature: transaction.secondSignature ?? undefined,
    signatures,
    vendorField,
    asset,
    confirmations,
    timestamp: time === undefined ? undefined : shownTime(time, chain),
    nonce: transaction.nonce,
  };
};

/** With what its block says. */
export const shownTransaction = (transaction: CoreTransactionRow, chain: ChainView) => {
  const confirmations = chain.head.height - transaction.blockHeight + 1;
  return shown(transaction, chain, confirmations, transaction.blockTimestamp);
};

/** Without it: some of a node's lists do not look at blocks. The time, if any, is the sender's own. */
export const shownAlone = (transaction: CoreTransactionRow, chain: ChainView) =>
  shown(transaction, chain, 0, transaction.timestamp ?? undefined);

/** Transfers have an expiration of 0 if they have none. */
const expirationOf = (transaction: CoreStoredTransactionRow): number | undefined => {
  const { version, typeGroup, type, expiration } = transaction;
  const isTransfer = typeGroup === CORE_TYPE_GROUP && type === TransactionType.Transfer;
  const isShown = isTransfer || (expiration && mayExpire(version, typeGroup, type));
  return isShown ? Number(expiration ?? 0n) : undefined;
};

export const rawTransaction = (transaction: CoreStoredTransactionRow, chain: ChainView) => {
  const { signature, signatures, vendorField, asset } = partsOf(transaction);
  return {
    version: transaction.version,
    network: transaction.network ?? chain.network.pubKeyHash,
    typeGroup: transaction.typeGroup,
    type: transaction.type,
    timestamp: transaction.timestamp ?? undefined,
    nonce: transaction.nonce,
    senderPublicKey: transaction.senderPublicKey,
    fee: transaction.fee,
    amount: transaction.amount,
    vendorField,
    expiration: expirationOf(transaction),
    recipientId: recipientOf(transaction, chain.addresses.addressOf(transaction.senderPublicKey)),
    asset,
    signature,
    secondSignature: transaction.secondSignature ?? undefined,
    signatures,
    id: transaction.id,
    blockId: transaction.blockId,
    blockHeight: transaction.blockHeight,
    sequence: transaction.sequence,
  };
};

/**
 * As files of networks have the transactions of a genesis block, which nodes show unchanged: those of version 2 as Core 3's
 * `network:generate` writes them.
 */
export const genesisTransaction = (transaction: CoreStoredTransactionRow, chain: ChainView) => {
  const { blockId: _, blockHeight: __, sequence: ___, ...raw } = rawTransaction(transaction, chain);
  const { senderPublicKey } = transaction;
  if (transaction.version > 1) {
    // A vote names its sender, as in version 1.
    const recipientId = recipientOf(
      { ...transaction, version: 1 },
      chain.addresses.addressOf(senderPublicKey),
    );
    return { ...raw, timestamp: 0, recipientId };
  }
  const { delegate, ...others } = JSON.parse(transaction.asset ?? '{}') as { readonly delegate?: object };
  return {
    ...raw,
    network: undefined,
    nonce: undefined,
    expiration: undefined,
    recipientId: raw.recipientId ?? null,
    asset: delegate ? { delegate: { ...delegate, publicKey: senderPublicKey } } : others,
  };
};
