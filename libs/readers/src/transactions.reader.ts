import type { BlockRef, Transaction } from '@roundhouse/chain';
import { bytesOf, transactions } from '@roundhouse/entities/tables';
import { blockAt, blockIdText, SELECT_TRANSACTIONS } from '@roundhouse/entities/sql';
import { atHead, found, named, pageOf, Reader, type NamedQuery } from './at-head.js';
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
interface Place {
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

interface ListedTransactions {
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
const SELECT_TRANSACTION = named(
  'transaction',
  atHead(
    PROPERTIES,
    `LEFT JOIN LATERAL (${SELECT_TRANSACTIONS} WHERE id = $3) t ON true
LEFT JOIN LATERAL ${blockAt('t."blockHeight"')} b ON true`,
  ),
);

/** $1, $2: the head; the others as in `pageOfWay`. */
const selectPage = (way: WayName, isFiltered: boolean): NamedQuery => {
  const { name, with: page } = pageOfWay(way, isFiltered);
  const columns = `${PROPERTIES}, (SELECT ${blockIdText('id')} FROM blocks WHERE height = $3) AS "blockIdBelow",
  stop.block_height AS "stopHeight", stop.sequence AS "stopSequence", ${blockIdText('stop.block_id')} AS "stopBlockId"`;
  const rows = `LEFT JOIN (SELECT * FROM found t ORDER BY ${NEWEST_FIRST} LIMIT $6::integer) f ON true
LEFT JOIN LATERAL (${SELECT_TRANSACTIONS} WHERE block_height = f.block_height AND sequence = f.sequence OFFSET 0) t ON true
LEFT JOIN LATERAL ${blockAt('f.block_height')} b ON true
LEFT JOIN stop ON true`;
  return named(name, `${page}${atHead(columns, rows)}\nORDER BY f.block_height DESC, f.sequence DESC`);
};

/** In the order of their parameters. */
const CONDITIONS = ['address', 'sender', 'recipient', 'typeGroup', 'type', 'minAmount', 'maxAmount'] as const;

const way = (name: WayName, ...meets: (typeof CONDITIONS)[number][]) => ({
  name,
  /** The conditions that this way meets by itself. */
  meets,
  exact: selectPage(name, false),
  filtered: selectPage(name, true),
});

/** The most selective way first. */
const WAYS = [
  way('account', 'address'),
  way('sender', 'sender'),
  way('recipient', 'recipient'),
  way('type', 'typeGroup', 'type'),
  way('all'),
];

/** The index of types has no transfers. */
const isOfTransfers = ({ typeGroup, type }: TransactionsPage): boolean => typeGroup === 1 && type === 0;

interface PageRow extends TransactionRecord {
  readonly blockIdBelow: string | null;
  readonly stopHeight: number | null;
  readonly stopSequence: number | null;
  readonly stopBlockId: string | null;
}

const placeOf = ({ blockHeight: height, sequence, blockId }: TransactionRecord): PlaceInChain => ({
  ...{ height, sequence, blockId },
});

/** Null if the page did not stop looking before all was found. */
const stopOf = ({ stopHeight: height, stopSequence, stopBlockId }: PageRow): PlaceInChain | null =>
  height === null ? null : { height, sequence: stopSequence!, blockId: stopBlockId! };

/** Transactions as rows. */
export class TransactionsReader extends Reader {
  /** @param id 64 hexadecimal characters */
  async findTransaction(at: BlockRef, id: string): Promise<TransactionRecord | undefined> {
    const rows = await this.rows<TransactionRecord>(at, SELECT_TRANSACTION, bytesOf('hex', id));
    return found(rows, 'id')[0];
  }

  /**
   * The newest first. The time does not depend on the place, except in a block in which one account has thousands of
   * transactions, and is bounded whatever the conditions are.
   */
  async listTransactions(at: BlockRef, page: TransactionsPage): Promise<ListedTransactions> {
    const { below, minHeight, limit } = page;
    const asked = CONDITIONS.filter((name) => page[name] !== undefined);
    const { meets, exact, filtered } = WAYS.find(
      (one) =>
        one.meets.every((name) => asked.includes(name)) && !(one.name === 'type' && isOfTransfers(page)),
    )!;
    const rows = await this.rows<PageRow>(
      at,
      asked.every((name) => meets.includes(name)) ? exact : filtered,
      ...[below.height, below.sequence, minHeight, limit + 1],
      ...CONDITIONS.map((name) => page[name] ?? null),
    );
    const { shown, last } = pageOf(found(rows, 'id'), limit);
    const next = last === null ? stopOf(rows[0]) : placeOf(last);
    return { rows: shown, next, blockIdBelow: rows[0].blockIdBelow };
  }
}
