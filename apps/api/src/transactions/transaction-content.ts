import { addressOf, CORE_TYPE_GROUP, TransactionType } from '@roundhouse/chain';
import { ReadyJson, type TransactionDto } from '@roundhouse/dto';
import type { TransactionRecord } from '@roundhouse/readers';
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

/** The text of the only field of a stored asset. */
const fieldOf = (stored: string, name: string): string => stored.slice(`{"${name}":`.length, -1);

const OTHER = '{"other":';

/**
 * The stored asset in the form of Core's JSON, which all libraries of the family read. Text is put around text, because
 * the numbers of other programs' assets may have any size.
 */
const assetText = ({ typeGroup, type }: TransactionRecord, stored: string): string => {
  if (stored.startsWith(OTHER)) return fieldOf(stored, 'other');
  if (typeGroup !== CORE_TYPE_GROUP) return stored;
  switch (type) {
    case TransactionType.SecondSignature:
      return `{"signature":{"publicKey":${fieldOf(stored, 'secondPublicKey')}}}`;
    case TransactionType.DelegateRegistration:
      return `{"delegate":${stored}}`;
    case TransactionType.HtlcClaim:
      return `{"claim":${stored}}`;
    case TransactionType.HtlcRefund:
      return `{"refund":${stored}}`;
    case TransactionType.MultiPayment: {
      // Stored as pairs.
      const { payments } = JSON.parse(stored) as { payments: readonly (readonly [string, string])[] };
      return JSON.stringify({ payments: payments.map(([recipientId, amount]) => ({ amount, recipientId })) });
    }
    default:
      return stored;
  }
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
