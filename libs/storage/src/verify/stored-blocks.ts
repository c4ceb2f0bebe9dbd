import { EMPTY_PAYLOAD_HASH } from '@roundhouse/blocks';
import { NO_BLOCK_ID, type Block, type BlockHeader, type Transaction } from '@roundhouse/chain';
import type { BlockRow, TransactionRow } from '@roundhouse/entities/tables';
import type { ClientBase } from 'pg';
import { queryRows } from '../query-rows.js';
import { SELECT_BLOCKS, SELECT_TRANSACTIONS } from '../table-sql.js';
import { assetOf, type AssetColumn } from '../writer/asset-column.js';

/** How many headers are read at a time, and roughly how many transactions. */
const HEADERS = 2_000;
const TRANSACTIONS = 5_000;

/** $1: the height below the first header. Its row is read too, because the header needs its id. */
const SELECT_HEADERS = `${SELECT_BLOCKS} WHERE height >= $1 ORDER BY height LIMIT ${HEADERS + 1}`;

const SELECT_CONTENTS = `
${SELECT_TRANSACTIONS} WHERE block_height BETWEEN $1 AND $2 ORDER BY block_height, sequence`;

/** A header's row with its generator's key. */
type StoredHeader = BlockRow & Pick<BlockHeader, 'generatorPublicKey'>;

interface StoredTransaction extends TransactionRow, Pick<Transaction, 'senderPublicKey' | 'recipientId'> {
  readonly asset: AssetColumn | null;
}

const transactionOf = ({
  blockHeight: _,
  sequence: __,
  sender: ___,
  recipient: ____,
  expiration,
  asset,
  ...fields
}: StoredTransaction): Transaction => ({
  ...fields,
  expiration: Number(expiration ?? 0n),
  asset: asset && assetOf(asset),
});

/** Fills in what a row does not repeat. Where the row below is missing, a header has no previous block. */
const headersOf = (rows: readonly StoredHeader[]): BlockHeader[] =>
  rows.map(({ generator: _, ...row }, place) => {
    const below = rows[place - 1];
    return {
      ...row,
      previousBlock: below?.height === row.height - 1 ? below.id : NO_BLOCK_ID,
      payloadHash: row.payloadHash ?? EMPTY_PAYLOAD_HASH,
    };
  });

/** Splits headers into parts with a bounded number of transactions; each part has at least one block. */
function* parts(headers: readonly BlockHeader[]): Generator<BlockHeader[], void> {
  let part: BlockHeader[] = [];
  let count = 0;
  for (const header of headers) {
    count += header.numberOfTransactions;
    if (part.length > 0 && count > TRANSACTIONS) {
      yield part;
      part = [];
      count = header.numberOfTransactions;
    }
    part.push(header);
  }
  if (part.length > 0) yield part;
}

const withTransactions = async (client: ClientBase, part: readonly BlockHeader[]): Promise<Block[]> => {
  const range = [part[0]!.height, part.at(-1)!.height];
  const byHeight = new Map<number, Transaction[]>();
  for (const row of await queryRows<StoredTransaction>(client, SELECT_CONTENTS, range)) {
    const placed = byHeight.get(row.blockHeight);
    if (placed) placed.push(transactionOf(row));
    else byHeight.set(row.blockHeight, [transactionOf(row)]);
  }
  return part.map((header) => ({ ...header, transactions: byHeight.get(header.height) ?? [] }));
};

/**
 * All stored blocks above a height, ascending, part by part. They are from one snapshot if the caller's transaction
 * reads from one.
 */
export async function* storedBlocks(client: ClientBase, above = 0): AsyncGenerator<Block[], void> {
  let height = above;
  for (;;) {
    const rows = await queryRows<StoredHeader>(client, SELECT_HEADERS, [height]);
    const headers = headersOf(rows).filter((header) => header.height > height);
    if (headers.length === 0) return;
    for (const part of parts(headers)) yield await withTransactions(client, part);
    height = headers.at(-1)!.height;
  }
}
