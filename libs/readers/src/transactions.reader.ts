import type { BlockRef, Transaction } from '@roundhouse/chain';
import { bytesOf, transactions } from '@roundhouse/entities/tables';
import { blockAt, blockIdText, SELECT_TRANSACTIONS } from '@roundhouse/entities/sql';
import { atHead, rowsAtHead } from './at-head.js';
import type { NamedQuery, ReaderPool } from './reader-pool.js';
import { NEWEST_FIRST, pageOfWay, type WayName } from './transaction-walks.js';

/** A stored transaction with all that it signs, and its place in the chain. */
export interface TransactionRecord extends Omit<Transaction, 'asset' | 'expiration'> {
  readonly blockId: string;
  readonly blockHeight: number;
  readonly blockTimestamp: number;
  /** From 0. */
  readonly sequence: number;
  readonly expiration: bigint | null;
  /** JSON, as stored. */
  readonly asset: string | null;
}

/** A place in the list of all transactions. */
export interface Place {
  readonly height: number;
  readonly sequence: number;
}

/** The end of a page, and the id of the block there. */
export interface PlaceInChain extends Place {
  readonly blockId: string;
}

/** What a page is to hold: all of these conditions must be met. */
export interface TransactionsPage {
  /** The page begins below this place. */
  readonly below: Place;
  readonly minHeight: number;
  readonly limit: number;
  /** Address of the sender or of the recipient. */
  readonly address?: string | undefined;
  /** Addresses. */
  readonly sender?: string | undefined;
  readonly recipient?: string | undefined;
  /** `type` is given with its group. */
  readonly typeGroup?: number | undefined;
  readonly type?: number | undefined;
  /** Arktoshi, as decimal text. */
  readonly minAmount?: string | undefined;
  readonly maxAmount?: string | undefined;
}

export interface ListedTransactions {
  readonly rows: readonly TransactionRecord[];
  /** Where the next page continues; null if nothing is left. */
  readonly next: PlaceInChain | null;
  /** The id of the block at the place that the page begins below; null if there is no block. */
  readonly blockIdBelow: string | null;
}

const PROPERTIES = [
  ...transactions.columns
    .filter(({ property }) => property !== 'sender' && property !== 'recipient')
    .map(({ property }) => (property === 'asset' ? 't.asset::text AS asset' : `t."${property}"`)),
  't."senderPublicKey"',
  't."recipientId"',
  `${blockIdText('b.id')} AS "blockId"`,
  'b."timestamp" AS "blockTimestamp"',
].join(', ');

/** $1, $2: the head; $3: the id. */
const SELECT_TRANSACTION: NamedQuery = {
  name: 'transaction',
  text: atHead(
    PROPERTIES,
    `LEFT JOIN LATERAL (${SELECT_TRANSACTIONS} WHERE id = $3) t ON true
LEFT JOIN LATERAL ${blockAt('t."blockHeight"')} b ON true`,
  ),
};

const selectPage = (way: WayName, isFiltered: boolean): NamedQuery => {
  const { name, with: page } = pageOfWay(way, isFiltered);
  const columns = `${PROPERTIES}, (SELECT ${blockIdText('id')} FROM blocks WHERE height = $3) AS "blockIdBelow",
  stop.block_height AS "stopHeight", stop.sequence AS "stopSequence", ${blockIdText('stop.block_id')} AS "stopBlockId"`;
  const rows = `LEFT JOIN (SELECT * FROM found t ORDER BY ${NEWEST_FIRST} LIMIT $6::integer) f ON true
LEFT JOIN LATERAL (${SELECT_TRANSACTIONS} WHERE block_height = f.block_height AND sequence = f.sequence OFFSET 0) t ON true
LEFT JOIN LATERAL ${blockAt('f.block_height')} b ON true
LEFT JOIN stop ON true`;
  return {
    name,
    text: `${page}${atHead(columns, rows)}\nORDER BY f.block_height DESC, f.sequence DESC`,
  };
};

/** $1, $2: the head; the others as in `pageOfWay`. */
const SELECT_PAGES = new Map(
  (['all', 'account', 'sender', 'recipient', 'type'] as const).map((way) => [
    way,
    { exact: selectPage(way, false), filtered: selectPage(way, true) },
  ]),
);

const CORE_TRANSFER = { typeGroup: 1, type: 0 };

/** The most selective way first. */
const wayOf = ({ address, sender, recipient, typeGroup, type }: TransactionsPage): WayName => {
  if (address !== undefined) return 'account';
  if (sender !== undefined) return 'sender';
  if (recipient !== undefined) return 'recipient';
  const isTransfer = typeGroup === CORE_TRANSFER.typeGroup && type === CORE_TRANSFER.type;
  return type !== undefined && !isTransfer ? 'type' : 'all';
};

/** The conditions that this way meets by itself. */
const MET: Readonly<Record<WayName, readonly (keyof TransactionsPage)[]>> = {
  all: [],
  account: [],
  sender: ['sender'],
  recipient: ['recipient'],
  type: ['typeGroup', 'type'],
};

const FILTERS = ['sender', 'recipient', 'typeGroup', 'type', 'minAmount', 'maxAmount'] as const;

interface PageRow extends TransactionRecord {
  readonly blockIdBelow: string | null;
  readonly stopHeight: number | null;
  readonly stopSequence: number | null;
  readonly stopBlockId: string | null;
}

const isFound = ({ id }: { readonly id: string | null }): boolean => id !== null;

/** Transactions as rows. Every method throws `HeadPassedError`. */
export class TransactionsReader {
  constructor(private readonly pool: ReaderPool) {}

  /** @param id 64 hexadecimal characters */
  async findTransaction(at: BlockRef, id: string): Promise<TransactionRecord | null> {
    const rows = await rowsAtHead<TransactionRecord>(this.pool, at, SELECT_TRANSACTION, [bytesOf('hex', id)]);
    return rows.find(isFound) ?? null;
  }

  /**
   * The newest first. The time does not depend on the place, except in a block in which one account has thousands of
   * transactions, and is bounded whatever the conditions are.
   */
  async listTransactions(at: BlockRef, page: TransactionsPage): Promise<ListedTransactions> {
    const { below, minHeight, limit, address, sender, recipient, typeGroup, type } = page;
    const way = wayOf(page);
    const queries = SELECT_PAGES.get(way)!;
    const isFiltered = FILTERS.some((name) => page[name] !== undefined && !MET[way].includes(name));
    const rows = await rowsAtHead<PageRow>(this.pool, at, isFiltered ? queries.filtered : queries.exact, [
      ...[below.height, below.sequence, minHeight, limit + 1],
      ...[address ?? null, sender ?? null, recipient ?? null],
      ...[typeGroup ?? null, type ?? null, page.minAmount ?? null, page.maxAmount ?? null],
    ]);
    const { blockIdBelow, stopHeight, stopSequence, stopBlockId } = rows[0]!;
    const found = rows.filter(isFound);
    const shown = found.slice(0, limit);
    const last = shown.at(-1);
    let next: PlaceInChain | null = null;
    if (found.length > limit && last)
      next = { height: last.blockHeight, sequence: last.sequence, blockId: last.blockId };
    else if (stopHeight !== null)
      next = { height: stopHeight, sequence: stopSequence!, blockId: stopBlockId! };
    return { rows: shown, next, blockIdBelow };
  }
}
