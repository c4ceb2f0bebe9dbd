import { CORE_TYPE_GROUP, NO_BLOCK_ID, TransactionType, type BlockRef } from '@roundhouse/chain';
import { blocks, type BlockEntity } from '@roundhouse/entities/tables';
import { blockAt, blockIdText, columnOf, hexText, signatureText } from '@roundhouse/entities/sql';
import { found, selectAtHead } from '../at-head.js';
import { byGenerator, isOfGenerator } from '../blocks.reader.js';
import type { SortDirection } from '../delegate-orders.js';
import { keyNumber, READ } from '../core-v1/list-filters.js';
import {
  bytesField,
  numberField,
  Parameters,
  plainText,
  timeField,
  type CoreField,
  type Wanted,
} from './core-fields.js';
import {
  conditionOf,
  CoreListReader,
  PAGE,
  SHALLOW,
  type CoreListPage,
  type CorePage,
  type Walk,
} from './core-list.js';

/** A block with the names of a node's own fields, and what is shown besides. Amounts are in arktoshi. */
export interface CoreBlockRow {
  readonly id: string;
  readonly version: number;
  readonly timestamp: number;
  readonly previousBlock: string;
  readonly height: number;
  readonly numberOfTransactions: number;
  readonly totalAmount: bigint;
  readonly totalFee: bigint;
  readonly reward: bigint;
  readonly payloadLength: number;
  readonly payloadHash: string;
  readonly generatorPublicKey: string;
  readonly blockSignature: string;
  /** What multi-payments pay, which is no part of the total. */
  readonly paid: bigint;
  /** Null if the generator is no delegate, as that of the genesis block. */
  readonly username: string | null;
}

const stored = (name: keyof BlockEntity): string => columnOf('b', blocks, name);

/** What the genesis block has in its place is as long as ids are there. */
const NO_PREVIOUS = `CASE octet_length(b.id) WHEN 32 THEN '${'0'.repeat(64)}' ELSE '${NO_BLOCK_ID}' END`;

const PREVIOUS_ID = `CASE b.height WHEN 1 THEN ${NO_PREVIOUS}
  ELSE (SELECT ${blockIdText('below.id')} FROM blocks below WHERE below.height = b.height - 1) END`;

const PAID = `coalesce((SELECT sum((payment ->> 1)::numeric)::bigint
  FROM transactions t CROSS JOIN LATERAL json_array_elements(t.asset -> 'payments') payment
  WHERE t.type_group = ${CORE_TYPE_GROUP} AND t.type = ${TransactionType.MultiPayment} AND t.block_height = b.height), 0)`;

/** SQL of a `CoreBlockRow`, except for what is only shown: the block is `b`, its generator's key `k`. */
const RAW = `
  ${blockIdText('b.id')} AS id, b.version, b."timestamp", ${PREVIOUS_ID} AS "previousBlock", b.height,
  ${stored('numberOfTransactions')} AS "numberOfTransactions", ${stored('totalAmount')} AS "totalAmount",
  ${stored('totalFee')} AS "totalFee", b.reward, ${stored('payloadLength')} AS "payloadLength",
  ${hexText(stored('payloadHash'))} AS "payloadHash", ${hexText('k.value')} AS "generatorPublicKey",
  ${signatureText('b.block_signature')} AS "blockSignature"`;

const SHOWN = `${RAW}, ${PAID} AS paid, (SELECT username FROM delegates d WHERE d.public_key = k.value) AS username`;

const KEY = 'JOIN public_keys k ON k.number = b.generator';

const FIELDS = {
  id: bytesField('block id', 'b.id'),
  version: numberField('b.version'),
  timestamp: timeField('b.height'),
  previousBlock: {
    is: (wanted, parameters) => {
      if (/^0+$/.test(plainText(wanted)))
        return `b.height = 1 AND ${NO_PREVIOUS} = ${parameters.add(wanted, 'text')}`;
      const id = READ['block id'](plainText(wanted));
      if (id === null) return 'false';
      return `b.height = (SELECT below.height + 1 FROM blocks below WHERE below.id = ${parameters.add(id, 'bytea')})`;
    },
    sortKey: `(${PREVIOUS_ID}) COLLATE "C"`,
  },
  height: numberField('b.height'),
  numberOfTransactions: numberField(stored('numberOfTransactions')),
  totalAmount: numberField(stored('totalAmount')),
  totalFee: numberField(stored('totalFee')),
  reward: numberField('b.reward'),
  payloadLength: numberField(stored('payloadLength')),
  payloadHash: bytesField('hex', stored('payloadHash')),
  generatorPublicKey: bytesField('hex', 'b.generator', {
    lookUp: (key) => `(${keyNumber(key)})`,
    sortKey: 'k.value',
    sortJoin: KEY,
  }),
  blockSignature: bytesField('signature', 'b.block_signature'),
} satisfies Readonly<Record<string, CoreField>>;

/** $1, $2: the head; $3: the id or null; $4: the height or null. */
const SELECT_BLOCK = selectAtHead(
  'core-block',
  'found.*',
  `LEFT JOIN LATERAL (SELECT ${SHOWN} FROM ${blockAt('coalesce($4, (SELECT height FROM blocks WHERE id = $3))')} b ${KEY}) found ON true`,
);

/** The direction of a list by height; undefined if it is sorted by something else. Times grow with heights. */
const byHeight = ({ orderBy: [first] }: CoreListPage) =>
  first && ['height', 'timestamp'].includes(first.property) ? first.direction : undefined;

/** The range of heights that are asked for; null if anything else is. */
const heightsOf = ({ criteria: { height = [{}], ...others } }: CoreListPage) => {
  const [wanted, ...more] = height as readonly (Wanted & { readonly from?: number; readonly to?: number })[];
  if (wanted === undefined || more.length > 0 || Object.keys(others).length > 0) return null;
  if (typeof wanted !== 'object') return { from: Number(wanted), to: Number(wanted) };
  const { from = 1, to = Infinity } = wanted;
  return { from, to };
};

/** The only generator that is asked for, and what else is; null if an id is, which finds fewer blocks. */
const generatorOf = ({ criteria }: CoreListPage) => {
  const { generatorPublicKey: [key, ...more] = [], ...others } = criteria;
  if (key === undefined || more.length > 0 || others['id']) return null;
  return { bytes: READ.hex(key as string), others, isOnly: Object.keys(others).length === 0 };
};

/** $3: limit; $4: offset. `key`: SQL of the generator's key; `condition`: of what else is asked for. */
const placesOfGenerator = (direction: SortDirection, key: string, condition: string): string =>
  `SELECT b.height FROM blocks b WHERE ${isOfGenerator(`(${keyNumber(key)})`)} AND ${condition}
  ORDER BY ${byGenerator(direction)} ${PAGE}`;

/** Blocks as nodes of 3.x list them. */
export class CoreBlocksReader extends CoreListReader {
  protected readonly table = {
    from: 'blocks b',
    keys: ['b.height'],
    newestFirst: 'b.height DESC',
    fields: FIELDS,
  };

  /** Whether a page is one of heights, which needs no index of lists. */
  isOfHeights(page: CoreListPage): boolean {
    return byHeight(page) !== undefined && heightsOf(page) !== null;
  }

  override isBounded(page: CoreListPage): boolean {
    if (this.isOfHeights(page)) return true;
    return byHeight(page) !== undefined && generatorOf(page)?.isOnly === true && page.offset <= SHALLOW;
  }

  /** Every height has a block, so a page of a range is a range: a large offset costs nothing. */
  protected walkOf(at: BlockRef, page: CoreListPage): Walk | null {
    const direction = byHeight(page);
    const generator = generatorOf(page);
    if (direction && generator?.bytes) {
      const parameters = new Parameters(5);
      const key = parameters.add(generator.bytes, 'bytea');
      const condition = conditionOf(this.table, generator.others, parameters);
      const places = placesOfGenerator(direction, key, condition);
      const name = generator.isOnly ? `core-blocks-of-generator-${direction}` : undefined;
      return { name, places, values: parameters.values, counted: [places] };
    }
    const range = direction && heightsOf(page);
    if (!range) return null;
    const [low, high] = [Math.min(Math.max(range.from, 1), at.height + 1), Math.min(range.to, at.height)];
    const isUp = direction === 'asc';
    const first = isUp ? Math.min(low + page.offset, high + 1) : Math.max(high - page.offset, low - 1);
    return {
      name: `core-blocks-${direction}`,
      places: `SELECT b.height FROM blocks b WHERE b.height BETWEEN $5::integer AND $6::integer ORDER BY b.height ${direction} ${PAGE}`,
      values: isUp ? [first, high] : [low, first],
      skipped: page.offset,
      totalCount: Math.max(0, high - low + 1),
    };
  }

  /** By its height, or else by its id. */
  async findBlock(at: BlockRef, { id, height }: { readonly id?: string; readonly height?: number }) {
    const bytes = id === undefined ? null : READ['block id'](id);
    return found(await this.rows<CoreBlockRow>(at, SELECT_BLOCK, bytes, height ?? null), 'id')[0];
  }

  listBlocks(at: BlockRef, page: CoreListPage): Promise<CorePage<CoreBlockRow>> {
    return this.readPage(at, page, SHOWN, `CROSS JOIN LATERAL ${blockAt('p.height')} b ${KEY}`);
  }
}
