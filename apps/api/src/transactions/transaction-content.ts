import { addressOf, CORE_TYPE_GROUP, TransactionType } from '@roundhouse/chain';
import { ReadyJson, type TransactionDto } from '@roundhouse/dto';
import type { TransactionRecord } from '@roundhouse/storage';
import type { ChainView } from '../chain/chain-view.js';

const UTF_8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** Null if the bytes are not UTF-8. */
const textOf = (hex: string): string | null => {
  try {
    return UTF_8.decode(Buffer.from(hex, 'hex'));
  } catch {
    return null;
  }
};

/** The index stores payments as pairs. No other asset is parsed: its numbers may have any size. */
const assetText = ({ typeGroup, type }: TransactionRecord, stored: string): string => {
  if (typeGroup !== CORE_TYPE_GROUP || type !== TransactionType.MultiPayment) return stored;
  const { payments } = JSON.parse(stored) as { payments: readonly (readonly [string, string])[] };
  return JSON.stringify({ payments: payments.map(([recipientId, amount]) => ({ recipientId, amount })) });
};

/** Transactions as the answers show them. */
export const transactionContents = (
  { head, network }: ChainView,
  records: readonly TransactionRecord[],
): TransactionDto[] => {
  const addresses = new Map<string, string>();
  const senderOf = (publicKey: string): string => {
    const address = addresses.get(publicKey) ?? addressOf(publicKey, network.pubKeyHash);
    addresses.set(publicKey, address);
    return address;
  };
  return records.map((record) => ({
    id: record.id,
    blockId: record.blockId,
    height: record.blockHeight,
    sequence: record.sequence,
    blockTimestamp: record.blockTimestamp,
    confirmations: head.height - record.blockHeight,
    version: record.version,
    network: record.network,
    typeGroup: record.typeGroup,
    type: record.type,
    timestamp: record.timestamp,
    nonce: record.nonce,
    senderPublicKey: record.senderPublicKey,
    senderId: senderOf(record.senderPublicKey),
    recipientId: record.recipientId,
    amount: record.amount,
    fee: record.fee,
    expiration: record.expiration,
    vendorField: record.vendorField === null ? null : textOf(record.vendorField),
    vendorFieldHex: record.vendorField,
    asset: record.asset === null ? null : new ReadyJson(assetText(record, record.asset)),
    signature: record.signature,
    secondSignature: record.secondSignature,
    signatures: record.signatures,
  }));
};
