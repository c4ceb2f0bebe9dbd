import { NO_BLOCK_ID, type Block, type BlockHeader, type Transaction } from '@roundhouse/chain';
import type { BlockEntity, TransactionEntity } from '@roundhouse/entities/tables';
import type { ClientBase } from 'pg';
import { queryRows, SELECT_BLOCKS, SELECT_TRANSACTIONS } from '@roundhouse/entities/sql';
import { assetOf, type AssetColumn } from '../writer/asset-column.js';

/** How many headers are read at a time, and roughly how many transactions. A part has at most as many. */
export interface PartSize {
  readonly headers: number;
  readonly transactions: number;
}

const DEFAULT_SIZE: PartSize = { headers: 2_000, transactions: 5_000 };

/** $1: the height below the first header. Its row is read too, because the header needs its id. $2: the last height. */
const SELECT_HEADERS = `${SELECT_BLOCKS} WHERE height BETWEEN $1 AND $2 ORDER BY height LIMIT $3`;

/** PostgreSQL's largest integer. */
const NO_LIMIT = 2_147_483_647;

const SELECT_CONTENTS = `
${SELECT_TRANSACTIONS} WHERE block_height BETWEEN $1 AND $2 ORDER BY block_height, sequence`;

/** A header's row with its generator's key. */
type StoredHeader = BlockEntity & Pick<BlockHeader, 'generatorPublicKey'>;

/** A transaction's row with the key and the address that its numbers stand for. */
export interface StoredTransaction
  extends TransactionEntity, Pick<Transaction, 'senderPublicKey' | 'recipientId'> {
  readonly asset: AssetColumn | null;
}

/** A block, and the rows of its transactions from which it was made. */
export interface StoredBlock {
  readonly block: Block;
  readonly rows: readonly StoredTransaction[];
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
    };
  });

/** Splits headers into parts with a bounded number of transactions; each part has at least one block. */
function* parts(headers: readonly BlockHeader[], transactions: number): Generator<BlockHeader[], void> {
  let part: BlockHeader[] = [];
  let count = 0;
  for (const header of headers) {
    count += header.numberOfTransactions;
    if (part.length > 0 && count > transactions) {
      yield part;
      part = [];
      count = header.numberOfTransactions;
    }
    part.push(header);
  }
  if (part.length > 0) yield part;
}

const withTransactions = async (client: ClientBase, part: readonly BlockHeader[]): Promise<StoredBlock[]> => {
  const range = [part[0]!.height, part.at(-1)!.height];
  const byHeight = new Map<number, StoredTransaction[]>();
  for (const row of await queryRows<StoredTransaction>(client, SELECT_CONTENTS, range)) {
    const placed = byHeight.get(row.blockHeight);
    if (placed) placed.push(row);
    else byHeight.set(row.blockHeight, [row]);
  }
  return part.map((header) => {
    const rows = byHeight.get(header.height) ?? [];
    return { block: { ...header, transactions: rows.map(transactionOf) }, rows };
  });
};

interface WhichBlocks {
  readonly above?: number | undefined;
  readonly upTo?: number | undefined;
  readonly partSize?: PartSize | undefined;
}

/**
 * All stored blocks above a height with their rows, ascending, part by part. They are from one snapshot if the caller's
 * transaction reads from one.
 */
export async function* storedRows(
  client: ClientBase,
  { above = 0, upTo = NO_LIMIT, partSize = DEFAULT_SIZE }: WhichBlocks = {},
): AsyncGenerator<StoredBlock[], void> {
  let height = above;
  for (;;) {
    const rows = await queryRows<StoredHeader>(client, SELECT_HEADERS, [height, upTo, partSize.headers + 1]);
    const headers = headersOf(rows).filter((header) => header.height > height);
    if (headers.length === 0) return;
    for (const part of parts(headers, partSize.transactions)) yield await withTransactions(client, part);
    height = headers.at(-1)!.height;
  }
}

/** The same without the rows. */
export async function* storedBlocks(
  client: ClientBase,
  which: WhichBlocks = {},
): AsyncGenerator<Block[], void> {
  for await (const part of storedRows(client, which)) yield part.map(({ block }) => block);
}
