import { NO_BLOCK_ID, type BlockRef } from '@roundhouse/chain';
import { blocks, bytesOf } from '@roundhouse/entities/tables';
import { blockIdText, columnOf, keyOfNumber } from '@roundhouse/entities/sql';
import { atHead, jsonAtHead, listAtHead, rowsAtHead } from './at-head.js';
import type { SortDirection } from './delegate-orders.js';
import { jsonObject } from './json-object.js';
import type { NamedQuery, ReaderPool } from './reader-pool.js';

const FULL_ID_CHARACTERS = 64;

/** Null if the row below is missing. */
const PREVIOUS_BLOCK = `CASE r.height WHEN 1 THEN '${NO_BLOCK_ID}' ELSE ${blockIdText('r.previous_id')} END`;

/** The fields of a block `r` of `withPrevious`. */
export const BLOCK_FIELDS = {
  id: { value: 'r.id', form: 'block id' },
  version: { value: 'r.version', form: 'integer' },
  timestamp: { value: 'r."timestamp"', form: 'integer' },
  previousBlock: { value: PREVIOUS_BLOCK, form: 'plain' },
  height: { value: 'r.height', form: 'integer' },
  numberOfTransactions: { value: columnOf('r', blocks, 'numberOfTransactions'), form: 'integer' },
  totalAmount: { value: columnOf('r', blocks, 'totalAmount'), form: 'integer' },
  totalFee: { value: columnOf('r', blocks, 'totalFee'), form: 'integer' },
  reward: { value: 'r.reward', form: 'integer' },
  payloadLength: { value: columnOf('r', blocks, 'payloadLength'), form: 'integer' },
  payloadHash: { value: columnOf('r', blocks, 'payloadHash'), form: 'hex' },
  generatorPublicKey: { value: 'r.generator_public_key', form: 'hex' },
  blockSignature: { value: 'r.block_signature', form: 'signature' },
  confirmations: { value: '$1 - r.height', form: 'integer' },
} as const;

const BLOCK = jsonObject(BLOCK_FIELDS);

/**
 * SQL of blocks `b`; a condition and an order may follow. The block below is looked up: PostgreSQL may read the whole
 * table for a join.
 */
export const withPrevious = (rows = 'blocks'): string => `
SELECT b.*, (SELECT below.id FROM blocks below WHERE below.height = b.height - 1) AS previous_id,
  ${keyOfNumber('b.generator')} AS generator_public_key
FROM ${rows} b`;

/** How many blocks `blocksOfRange` finds at most. */
const MOST_BLOCKS = 100;

/**
 * SQL of the blocks from height $3 to $4, at most 100, as `withPrevious` has them. One scan finds them and the ids of
 * the blocks below. Because the limit is a constant, PostgreSQL keeps one plan for all pages; otherwise planning takes a
 * third of the time.
 */
export const blocksOfRange = (direction: SortDirection): string => `
SELECT b.*, ${keyOfNumber('b.generator')} AS generator_public_key
FROM (
  SELECT *, CASE lead(height) OVER downwards WHEN height - 1 THEN lead(id) OVER downwards END AS previous_id
  FROM blocks WHERE height BETWEEN $3 - 1 AND $4
  WINDOW downwards AS (ORDER BY height DESC) ORDER BY height DESC LIMIT ${MOST_BLOCKS + 1}
) b WHERE b.height >= $3 ORDER BY b.height ${direction}`;

/** $1, $2: the head; $3, $4: lowest and highest height. */
const SELECT_BLOCKS: NamedQuery = {
  name: 'blocks',
  text: listAtHead(BLOCK, blocksOfRange('desc')),
};

/** $1, $2: the head; $3: the id. */
const SELECT_BLOCK: NamedQuery = {
  name: 'block',
  text: listAtHead(BLOCK, `${withPrevious()} WHERE b.id = $3`),
};

/** $1, $2: the head; $3: the id. */
const SELECT_HEIGHT: NamedQuery = {
  name: 'block-height',
  text: atHead('b.height', 'LEFT JOIN blocks b ON b.id = $3'),
};

/** Only ids of 64 characters can begin with a 0. */
const idBytes = (id: string): Buffer | null =>
  id.startsWith('0') && id.length !== FULL_ID_CHARACTERS ? null : bytesOf('block id', id);

/** Blocks as JSON, as `DelegatesReader` returns delegates. Every method throws `HeadPassedError`. */
export class BlocksReader {
  constructor(private readonly pool: ReaderPool) {}

  /** The blocks of the heights from `lowest` to `highest`, at most 100, newest first. */
  listBlocks(at: BlockRef, lowest: number, highest: number): Promise<string> {
    return jsonAtHead(this.pool, at, SELECT_BLOCKS, [lowest, highest]);
  }

  /** Empty if there is no such block. */
  findBlock(at: BlockRef, id: string): Promise<string> {
    return jsonAtHead(this.pool, at, SELECT_BLOCK, [idBytes(id)]);
  }

  /** The same, by the id or by the height. */
  findChosen(at: BlockRef, choice: { readonly id: string } | { readonly height: number }): Promise<string> {
    return 'id' in choice ? this.findBlock(at, choice.id) : this.listBlocks(at, choice.height, choice.height);
  }

  /** Null if there is no block with this id. */
  async findHeight(at: BlockRef, id: string): Promise<number | null> {
    type Row = { readonly height: number | null };
    const [row] = await rowsAtHead<Row>(this.pool, at, SELECT_HEIGHT, [idBytes(id)]);
    return row!.height;
  }
}
