import type { BlockRef, Transaction } from '@roundhouse/chain';
import { bytesOf, transactions } from '@roundhouse/entities/tables';
import { blockAt, blockIdText, SELECT_TRANSACTIONS } from '@roundhouse/entities/sql';
import { atHead, found, named, pageOf, Reader, selectAtHead, type NamedQuery } from './at-head.js';
import { NEWEST_FIRST, WAYS } from './transaction-walks.js';

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

/** A place in the list of all transactions, and the id of the block there. */
export interface PlaceInChain {
  readonly height: number;
  readonly sequence: number;
  readonly blockId: string;
}

/** What a page is to hold: all of these conditions must be met. */
export interface TransactionsPage {
  /** The page begins below this place. */
  readonly below: Omit<PlaceInChain, 'blockId'>;
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
const SELECT_TRANSACTION = selectAtHead(
  'transaction',
  PROPERTIES,
  `LEFT JOIN LATERAL (${SELECT_TRANSACTIONS} WHERE id = $3) t ON true
LEFT JOIN LATERAL ${blockAt('t."blockHeight"')} b ON true`,
);

/** $1, $2: the head; the others as in `WAYS`. */
const selectPage = (name: string, tables: string): NamedQuery => {
  const columns = `${PROPERTIES}, (SELECT ${blockIdText('id')} FROM blocks WHERE height = $3) AS "blockIdBelow",
  CASE WHEN stop.block_height IS NOT NULL THEN
    json_build_object('height', stop.block_height, 'sequence', stop.sequence, 'blockId', ${blockIdText('stop.block_id')})
  END AS stop`;
  const rows = `LEFT JOIN (SELECT * FROM found t ORDER BY ${NEWEST_FIRST} LIMIT $6::integer) f ON true
LEFT JOIN LATERAL (${SELECT_TRANSACTIONS} WHERE block_height = f.block_height AND sequence = f.sequence OFFSET 0) t ON true
LEFT JOIN LATERAL ${blockAt('f.block_height')} b ON true
LEFT JOIN stop ON true`;
  return named(name, `${tables}${atHead(columns, rows)}\nORDER BY f.block_height DESC, f.sequence DESC`);
};

/** In the order of their parameters. */
const CONDITIONS = ['address', 'sender', 'recipient', 'typeGroup', 'type', 'minAmount', 'maxAmount'] as const;

const PAGES = WAYS.map(({ name, meets, exact, filtered }) => ({
  meets,
  exact: selectPage(name, exact),
  filtered: selectPage(`${name}-filtered`, filtered),
}));

interface PageRow extends TransactionRecord {
  /** The id of the block at the place that the page begins below; null if there is no block. */
  readonly blockIdBelow: string | null;
  /** Null if the page did not stop looking before all was found. */
  readonly stop: PlaceInChain | null;
}

export class TransactionsReader extends Reader {
  /** @param id 64 hexadecimal characters */
  async findTransaction(at: BlockRef, id: string): Promise<TransactionRecord | undefined> {
    const rows = await this.rows<TransactionRecord>(at, SELECT_TRANSACTION, bytesOf('hex', id));
    return found(rows, 'id')[0];
  }

  /**
   * The newest first; `next` is where the next page continues, null if nothing is left. The time does not depend on the
   * place, except in a block in which one account has thousands of transactions, and is bounded whatever the conditions are.
   */
  async listTransactions(at: BlockRef, page: TransactionsPage) {
    const { below, minHeight, limit } = page;
    const asked: readonly string[] = CONDITIONS.filter((name) => page[name] !== undefined);
    const isOfTransfers = page.typeGroup === 1 && page.type === 0;
    const { meets, exact, filtered } = PAGES.find(
      (one) =>
        one.meets.every((name) => asked.includes(name)) && !(one.meets.includes('type') && isOfTransfers),
    )!;
    const query = asked.every((name) => meets.includes(name)) ? exact : filtered;
    const conditions = CONDITIONS.map((name) => page[name] ?? null);
    const bounds = [below.height, below.sequence, minHeight, limit + 1];
    const rows = await this.rows<PageRow>(at, query, ...bounds, ...conditions);
    const { shown, last } = pageOf(found(rows, 'id'), limit);
    const { stop, blockIdBelow } = rows[0];
    const next = last ? { height: last.blockHeight, sequence: last.sequence, blockId: last.blockId } : stop;
    return { rows: shown, next, blockIdBelow };
  }
}
