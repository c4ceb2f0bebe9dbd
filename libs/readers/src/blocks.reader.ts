import { NO_BLOCK_ID, type BlockRef } from '@roundhouse/chain';
import { blocks, bytesOf, heightGroup, type BlockEntity } from '@roundhouse/entities/tables';
import { blockIdText, columnOf, keyOfNumber } from '@roundhouse/entities/sql';
import { found, jsonOf, listAtHead, MOST_ROWS, pageOf, Reader, selectAtHead } from './at-head.js';
import type { SortDirection } from './delegate-orders.js';
import { delegateBy, nameValues, type DelegateName } from './delegate-parts.js';
import { jsonObject } from './json-object.js';

const stored = (name: keyof BlockEntity): string => columnOf('r', blocks, name);

/** Null if the row below is missing. */
const PREVIOUS_BLOCK = `CASE r.height WHEN 1 THEN '${NO_BLOCK_ID}' ELSE ${blockIdText('r.previous_id')} END`;

const TOTALS = {
  numberOfTransactions: ['integer', stored('numberOfTransactions')],
  totalAmount: ['integer', stored('totalAmount')],
  totalFee: ['integer', stored('totalFee')],
  reward: 'integer',
} as const;

/** What the generator got, under the name that an answer has for it. */
const FORGED = ['integer', `r.reward + ${stored('totalFee')}`] as const;

/** The fields of a block `r` of `withPrevious`. */
const FIELDS = {
  ...({ id: 'block id', version: 'integer', timestamp: 'integer' } as const),
  previousBlock: ['plain', PREVIOUS_BLOCK],
  height: 'integer',
  ...TOTALS,
  payloadLength: ['integer', stored('payloadLength')],
  payloadHash: ['hex', stored('payloadHash')],
  ...({ generatorPublicKey: 'hex', blockSignature: 'signature' } as const),
  confirmations: ['integer', '$1 - r.height'],
} as const;

const BLOCK = jsonObject(FIELDS);

/** SQL of a block as a node showed it, for rows of `withPrevious`. */
export const NODE_BLOCK = jsonObject({ ...FIELDS, totalForged: FORGED });

const NEWEST_BLOCK = jsonObject({
  ...({ height: 'integer', id: 'block id', timestamp: 'integer' } as const),
  ...({ generatorPublicKey: 'hex', username: 'text or null' } as const),
  ...TOTALS,
  forged: FORGED,
});

/**
 * SQL of blocks `b`; a condition and an order may follow. The block below is looked up: PostgreSQL may read the whole
 * table for a join.
 */
export const withPrevious = (rows = 'blocks'): string => `
SELECT b.*, (SELECT below.id FROM blocks below WHERE below.height = b.height - 1) AS previous_id,
  ${keyOfNumber('b.generator')} AS generator_public_key
FROM ${rows} b`;

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
  WINDOW downwards AS (ORDER BY height DESC) ORDER BY height DESC LIMIT ${MOST_ROWS}
) b WHERE b.height >= $3 ORDER BY b.height ${direction}`;

/** $1, $2: the head; $3, $4: lowest and highest height. */
const SELECT_BLOCKS = listAtHead('blocks', BLOCK, blocksOfRange('desc'));

/** $1, $2: the head; $3: the id. */
const SELECT_BLOCK = listAtHead('block', BLOCK, `${withPrevious()} WHERE b.id = $3`);

/** $1, $2: the head; $3: the id. */
const SELECT_HEIGHT = selectAtHead('block-height', 'b.height', 'LEFT JOIN blocks b ON b.id = $3');

/** $1, $2: the head; $3: the lowest height. */
const SELECT_NEWEST = listAtHead(
  'status-blocks',
  NEWEST_BLOCK,
  `SELECT b.*, (SELECT username FROM delegates WHERE public_key = b.generator_public_key) AS username
     FROM (SELECT *, ${keyOfNumber('generator')} AS generator_public_key FROM blocks WHERE height >= $3 OFFSET 0) b
     ORDER BY b.height DESC`,
);

/**
 * SQL: whether the block `b` is of the generator with this number, and of no higher group of heights than `last`. It compares
 * a whole row, so PostgreSQL can use no other index than that of generators.
 */
export const isOfGenerator = (generator: string, last = '2147483647'): string => {
  const row = `(b.generator, ${heightGroup('b.height')})`;
  return `${row} >= (${generator}, 0) AND ${row} <= (${generator}, ${last})`;
};

/** The order in which that index has the blocks. */
export const byGenerator = (direction: SortDirection): string =>
  ['b.generator', heightGroup('b.height'), 'b.height'].map((key) => `${key} ${direction}`).join(', ');

/** The blocks of the generator `k.number` below the height $5. */
const FORGED_BELOW = `
SELECT b.* FROM blocks b
WHERE ${isOfGenerator('k.number', heightGroup('$5::integer'))} AND b.height < $5::integer
ORDER BY ${byGenerator('desc')} LIMIT ${MOST_ROWS}`;

/** $1, $2: the head; $3, $4: public key and username, one of them null; $5: above the highest height. */
const SELECT_FORGED = selectAtHead(
  'blocks-of-delegate',
  `d.username, (SELECT ${blockIdText('id')} FROM blocks WHERE height = $5::integer) AS "blockIdBelow",
  listed.height, listed.id AS "blockId", listed.json`,
  `${delegateBy('$3', '$4', 'h.height')}
LEFT JOIN public_keys k ON k.value = d.public_key
LEFT JOIN LATERAL (
  SELECT r.height, ${blockIdText('r.id')} AS id, ${BLOCK} AS json FROM (${withPrevious(`(${FORGED_BELOW})`)}) r OFFSET 0
) listed ON true`,
  'ORDER BY listed.height DESC',
);

interface ForgedRow {
  /** Null if there is no such delegate. */
  readonly username: string | null;
  readonly blockIdBelow: string | null;
  readonly height: number;
  readonly blockId: string;
  readonly json: string | null;
}

/** A block by its id or by its height. */
type BlockChoice = { readonly id: string } | { readonly height: number };

/** Only ids of 64 characters can begin with a 0. */
const idBytes = (id: string): Buffer | null =>
  id.startsWith('0') && id.length !== 64 ? null : bytesOf('block id', id);

/** Blocks as JSON, as `DelegatesReader` returns delegates. */
export class BlocksReader extends Reader {
  /** The blocks of the heights from `lowest` to `highest`, at most 100, newest first. */
  listBlocks(at: BlockRef, lowest: number, highest: number): Promise<string> {
    return this.list(at, SELECT_BLOCKS, lowest, highest);
  }

  /** As /status.json shows them: from the head down to `lowest`. */
  listNewest(at: BlockRef, lowest: number): Promise<string> {
    return this.list(at, SELECT_NEWEST, lowest);
  }

  /**
   * The blocks that a delegate forged below a height, newest first, at most 100; `next` is the last of them if more
   * follow, `blockIdBelow` the block at that height. Undefined if there is no such delegate.
   */
  async listForged(at: BlockRef, delegate: DelegateName, below: number, limit: number) {
    const rows = await this.rows<ForgedRow>(at, SELECT_FORGED, ...nameValues(delegate), below);
    if (rows[0].username === null) return undefined;
    const { shown, last } = pageOf(found(rows, 'height'), limit);
    const lost = BigInt(shown.filter(({ json }) => json === null).length);
    const blocks = jsonOf(SELECT_FORGED.name, { json: shown.map(({ json }) => json).join(','), lost });
    return { blocks, next: last, blockIdBelow: rows[0].blockIdBelow };
  }

  /** Empty if there is no such block. */
  findBlock(at: BlockRef, choice: BlockChoice): Promise<string> {
    return 'id' in choice
      ? this.list(at, SELECT_BLOCK, idBytes(choice.id))
      : this.listBlocks(at, choice.height, choice.height);
  }

  /** Null if there is no such block. */
  async findHeight(at: BlockRef, choice: BlockChoice): Promise<number | null> {
    if ('height' in choice) return choice.height >= 1 && choice.height <= at.height ? choice.height : null;
    return (await this.row<{ readonly height: number | null }>(at, SELECT_HEIGHT, idBytes(choice.id))).height;
  }
}
