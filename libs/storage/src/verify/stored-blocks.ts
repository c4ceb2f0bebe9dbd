import { CORE_TYPE_GROUP, isTypeWithAsset, type Block, type Transaction } from '@roundhouse/chain';
import type { ClientBase } from 'pg';
import { assetOf, type AssetRecord } from '../staging/asset-record.js';
import { AssetMissingError } from './asset-missing.error.js';

/** What is read at a time: headers, and of those as many as have together about so many transactions. */
const HEADERS = 2_000;
const TRANSACTIONS = 5_000;

const SELECT_HEADERS = `
SELECT height, id, version, "timestamp", previous_block, number_of_transactions, total_amount, total_fee, reward,
  payload_length, payload_hash, generator_public_key, block_signature
FROM public.blocks WHERE height > $1 ORDER BY height LIMIT ${HEADERS}`;

const SELECT_TRANSACTIONS = `
SELECT block_height, id, type_group, type, sender_public_key, recipient_id, amount, fee, asset
FROM public.transactions WHERE block_height BETWEEN $1 AND $2 ORDER BY block_height, sequence`;

interface HeaderRow {
  readonly height: number;
  readonly id: string;
  readonly version: number;
  readonly timestamp: number;
  readonly previous_block: string;
  readonly number_of_transactions: number;
  readonly total_amount: string;
  readonly total_fee: string;
  readonly reward: string;
  readonly payload_length: number;
  readonly payload_hash: string;
  readonly generator_public_key: string;
  readonly block_signature: string;
}

interface TransactionRow {
  readonly block_height: number;
  readonly id: string;
  readonly type_group: number;
  readonly type: number;
  readonly sender_public_key: string;
  readonly recipient_id: string | null;
  readonly amount: string;
  readonly fee: string;
  readonly asset: AssetRecord | null;
}

const transactionOf = (row: TransactionRow): Transaction => {
  const { id, type, type_group: typeGroup, asset } = row;
  // Sources give no such transaction without its asset.
  if (asset === null && typeGroup === CORE_TYPE_GROUP && isTypeWithAsset(type)) {
    throw new AssetMissingError(id, row.block_height);
  }
  return {
    id,
    type,
    typeGroup,
    senderPublicKey: row.sender_public_key,
    recipientId: row.recipient_id,
    amount: BigInt(row.amount),
    fee: BigInt(row.fee),
    asset: asset && assetOf(asset),
  };
};

const blockOf = (row: HeaderRow, transactions: readonly Transaction[]): Block => ({
  height: row.height,
  id: row.id,
  version: row.version,
  timestamp: row.timestamp,
  previousBlock: row.previous_block,
  numberOfTransactions: row.number_of_transactions,
  totalAmount: BigInt(row.total_amount),
  totalFee: BigInt(row.total_fee),
  reward: BigInt(row.reward),
  payloadLength: row.payload_length,
  payloadHash: row.payload_hash,
  generatorPublicKey: row.generator_public_key,
  blockSignature: row.block_signature,
  transactions,
});

/** Cuts headers where the transactions of a part would become too many; a part has one block at least. */
function* parts(headers: readonly HeaderRow[]): Generator<HeaderRow[], void> {
  let part: HeaderRow[] = [];
  let transactions = 0;
  for (const header of headers) {
    transactions += header.number_of_transactions;
    if (part.length > 0 && transactions > TRANSACTIONS) {
      yield part;
      part = [];
      transactions = header.number_of_transactions;
    }
    part.push(header);
  }
  if (part.length > 0) yield part;
}

const withTransactions = async (client: ClientBase, part: readonly HeaderRow[]): Promise<Block[]> => {
  const range = [part[0]!.height, part.at(-1)!.height];
  const { rows } = await client.query<TransactionRow>(SELECT_TRANSACTIONS, range);
  const byHeight = new Map<number, Transaction[]>();
  for (const row of rows) {
    const placed = byHeight.get(row.block_height);
    if (placed) placed.push(transactionOf(row));
    else byHeight.set(row.block_height, [transactionOf(row)]);
  }
  return part.map((header) => blockOf(header, byHeight.get(header.height) ?? []));
};

/**
 * All stored blocks above a height, ascending, part by part. One snapshot where the caller's transaction is one. Throws
 * `AssetMissingError` at the first transaction that lacks its asset.
 */
export async function* storedBlocks(client: ClientBase, above = 0): AsyncGenerator<Block[], void> {
  let height = above;
  for (;;) {
    const { rows } = await client.query<HeaderRow>(SELECT_HEADERS, [height]);
    if (rows.length === 0) return;
    for (const part of parts(rows)) yield await withTransactions(client, part);
    height = rows.at(-1)!.height;
  }
}
