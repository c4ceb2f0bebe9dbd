import {
  addressOf,
  CORE_TYPE_GROUP,
  mayExpire,
  rawAsset,
  signsExpiration,
  TransactionType,
  type Block,
  type Transaction,
} from '@roundhouse/chain';

// What a node of Core 3.9 posts to webhooks: its objects in memory, as JSON.stringify writes them.

const SHORT_ID_DIGITS = 16;
const FULL_ID_DIGITS = 64;

const hexOfId = (id: string): string =>
  id.length === FULL_ID_DIGITS ? id : BigInt(id).toString(16).padStart(SHORT_ID_DIGITS, '0');

/** In which Core reads the fields of assets from bytes. Others are few, or in this order anyway. */
const FIELD_ORDER = [
  'publicKeys',
  'keysgroup',
  'lifetime',
  'min',
  'type',
  'subType',
  'action',
  'registrationId',
  'data',
  'name',
  'ipfsData',
  'bridgechainId',
  'website',
  'vat',
  'repository',
  'seedNodes',
  'genesisHash',
  'bridgechainRepository',
  'bridgechainAssetRepository',
  'ports',
];

const inOrder = (value: unknown): unknown => {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  const placeOf = (name: string): number => FIELD_ORDER.indexOf(name) + 1 || FIELD_ORDER.length + 1;
  return Object.fromEntries(
    Object.entries(value)
      .sort(([one], [other]) => placeOf(one) - placeOf(other))
      .map(([name, field]) => [name, inOrder(field)]),
  );
};

const isOf = ({ typeGroup, type }: Transaction, wanted: TransactionType): boolean =>
  typeGroup === CORE_TYPE_GROUP && type === wanted;

/** The fields between `amount` and `asset`. A lock has its recipient, but no expiration of its own. */
const recipientFields = (transaction: Transaction): object => {
  const { version, typeGroup, type, expiration, recipientId } = transaction;
  const hasExpiration =
    signsExpiration(version, typeGroup, type) ||
    isOf(transaction, TransactionType.Transfer) ||
    (expiration > 0 && mayExpire(version, typeGroup, type));
  return {
    ...(hasExpiration ? { expiration } : {}),
    ...(recipientId === null ? {} : { recipientId }),
  };
};

/** `pubKeyHash` is the network's byte: a vote of version 1 names its sender as the recipient. */
export const postedTransaction = (transaction: Transaction, pubKeyHash: number) => {
  const { version, network, typeGroup, type, timestamp, nonce, vendorField, asset } = transaction;
  const { senderPublicKey, signature, secondSignature, signatures } = transaction;
  const isOld = nonce === null;
  const isOldVote = version === 1 && isOf(transaction, TransactionType.Vote);
  return {
    version,
    network: network ?? pubKeyHash,
    ...(isOld ? { type, timestamp } : { typeGroup, type, nonce: nonce.toString() }),
    senderPublicKey,
    fee: transaction.fee.toString(),
    amount: transaction.amount.toString(),
    ...(vendorField === null ? {} : { vendorField: Buffer.from(vendorField, 'hex').toString() }),
    ...(isOldVote ? {} : recipientFields(transaction)),
    ...(asset === null ? {} : { asset: inOrder(rawAsset(transaction, asset)) }),
    ...(signature === null ? {} : { signature }),
    ...(secondSignature === null ? {} : { secondSignature }),
    ...(signatures === null ? {} : { signatures }),
    ...(isOld ? { typeGroup } : {}),
    ...(isOldVote ? { recipientId: addressOf(senderPublicKey, pubKeyHash) } : {}),
    id: transaction.id,
  };
};

/** Without its transactions; `more` stands where a received block has them. */
export const postedBlock = (block: Block, more: object = {}) => ({
  version: block.version,
  timestamp: block.timestamp,
  height: block.height,
  previousBlockHex: hexOfId(block.previousBlock),
  previousBlock: block.previousBlock,
  numberOfTransactions: block.numberOfTransactions,
  totalAmount: block.totalAmount.toString(),
  totalFee: block.totalFee.toString(),
  reward: block.reward.toString(),
  payloadLength: block.payloadLength,
  payloadHash: block.payloadHash,
  generatorPublicKey: block.generatorPublicKey,
  blockSignature: block.blockSignature,
  ...more,
  idHex: hexOfId(block.id),
  id: block.id,
});

/** A block as it is received. An empty list of transactions is behind the rest. */
export const postedWithTransactions = (block: Block, pubKeyHash: number) => {
  const transactions = block.transactions.map((transaction) => postedTransaction(transaction, pubKeyHash));
  return transactions.length === 0
    ? { ...postedBlock(block), transactions }
    : postedBlock(block, { transactions });
};
