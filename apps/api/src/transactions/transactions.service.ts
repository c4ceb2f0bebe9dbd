import { Injectable } from '@nestjs/common';
import { CORE_TYPE_GROUP, TransactionType } from '@roundhouse/chain';
import {
  ReadyJson,
  writeTransactionCursor,
  type TransactionDto,
  type TransactionResponseDto,
  type TransactionsQueryDto,
  type TransactionsResponseDto,
} from '@roundhouse/dto';
import { BlocksReader, TransactionsReader, type TransactionRecord } from '@roundhouse/readers';
import type { ChainView } from '../chain/chain-tracker.service.js';
import { assertKeepsCursor, assertReachesCursor, NotFoundError } from '../answers/errors.js';

const LARGEST_INTEGER = 2 ** 31 - 1;

/** No column holds a larger number, so none is equal to one either. */
const bounded = (value: number | undefined): number | undefined => value && Math.min(value, LARGEST_INTEGER);

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
const fieldOf = (stored: string): string => stored.slice(stored.indexOf(':') + 1, -1);

/**
 * The stored asset in the form of Core's JSON, which all libraries of the family read. Text is put around text, because
 * the numbers of other programs' assets may have any size.
 */
const assetText = ({ typeGroup, type }: TransactionRecord, stored: string): string => {
  if (stored.startsWith('{"other":')) return fieldOf(stored);
  if (typeGroup !== CORE_TYPE_GROUP) return stored;
  switch (type) {
    case TransactionType.SecondSignature:
      return `{"signature":{"publicKey":${fieldOf(stored)}}}`;
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
const transactionContents = ({ head, addresses }: ChainView, records: readonly TransactionRecord[]) => {
  // Named one by one: a spread of a row takes a hundred times as long.
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
    senderId: addresses.addressOf(record.senderPublicKey),
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

@Injectable()
export class TransactionsService {
  constructor(
    private readonly transactions: TransactionsReader,
    private readonly blocks: BlocksReader,
  ) {}

  async getTransaction(chain: ChainView, id: string): Promise<TransactionResponseDto> {
    const [transaction] = await this.listNamed(chain, id);
    if (!transaction) throw new NotFoundError('There is no transaction with this id.');
    return { transaction, success: true };
  }

  /** The transaction with this id, or none. */
  async listNamed(chain: ChainView, id: string): Promise<TransactionDto[]> {
    if (!/^[0-9a-f]{64}$/i.test(id)) return [];
    const found = await this.transactions.findTransaction(chain.head, id.toLowerCase());
    return transactionContents(chain, found ? [found] : []);
  }

  /**
   * Pages hold what is below their cursor, which new blocks do not change. Throws as `assertListIndexes`,
   * `assertReachesCursor` and `assertKeepsCursor` do.
   */
  async listTransactions(chain: ChainView, query: TransactionsQueryDto): Promise<TransactionsResponseDto> {
    const { head } = chain;
    const { block, cursor, limit, minAmount, maxAmount, address, sender, recipient, type, typeGroup } = query;
    if ([address, sender, recipient, type, typeGroup].some((asked) => asked !== undefined))
      chain.assertListIndexes();
    if (cursor) assertReachesCursor(head, cursor);
    const named = block && ('height' in block ? block.height : await this.blocks.findHeight(head, block));
    // No block has the height 0.
    const inBlock = named === null ? 0 : named;
    const minHeight = Math.max(bounded(query.minHeight) ?? 0, inBlock ?? 0);
    const maxHeight = Math.min(query.maxHeight ?? head.height, inBlock ?? head.height);
    const isBelowCursor = cursor !== undefined && cursor.height <= maxHeight;
    const addressFor = (account: string | undefined) => account && chain.addressNamed(account);
    const page = {
      below: isBelowCursor ? cursor : { height: maxHeight, sequence: LARGEST_INTEGER },
      minHeight,
      limit,
      address: addressFor(address),
      sender: addressFor(sender),
      recipient: addressFor(recipient),
      type: bounded(type),
      typeGroup: bounded(typeGroup) ?? (type === undefined ? undefined : CORE_TYPE_GROUP),
      minAmount,
      maxAmount,
    };
    const { rows, next, blockIdBelow } = await this.transactions.listTransactions(head, page);
    if (isBelowCursor) assertKeepsCursor(cursor, blockIdBelow);
    return {
      transactions: transactionContents(chain, rows),
      nextCursor: next && writeTransactionCursor(next),
      success: true,
    };
  }
}
