import { once } from 'node:events';
import { createReadStream, createWriteStream, existsSync, readFileSync, writeFileSync } from 'node:fs';
import { createInterface } from 'node:readline';
import {
  addresses,
  blocks,
  hexOfForm,
  publicKeys,
  transactions,
  type Column,
  type NumberedRow,
} from '@roundhouse/entities/tables';
import type { ChainFile } from '../chain-files.js';

/** The rows of a chain as files for COPY. */
export interface RowFiles {
  /** The path of each table's file. */
  readonly files: Readonly<Record<string, string>>;
  /** Of blocks and transactions. */
  readonly rows: number;
}

/** The parts of a block in a generated archive that the tables hold. */
export interface RawBlock {
  readonly height: number;
  readonly id: string;
  readonly version: number;
  readonly timestamp: number;
  readonly previousBlock: string | null;
  readonly numberOfTransactions: number;
  readonly totalAmount: string;
  readonly totalFee: string;
  readonly reward: string;
  readonly payloadLength: number;
  readonly payloadHash: string;
  readonly generatorPublicKey: string;
  readonly blockSignature: string;
  readonly transactions: readonly RawTransaction[];
}

export interface RawTransaction {
  readonly id: string;
  readonly version: number;
  readonly network?: number;
  readonly typeGroup: number;
  readonly type: number;
  readonly nonce?: string;
  readonly senderPublicKey: string;
  readonly recipientId?: string;
  readonly amount: string;
  readonly fee: string;
  readonly expiration?: number;
  readonly vendorField?: string;
  readonly signature?: string;
  readonly secondSignature?: string;
}

const linesOf = (archive: string): AsyncIterable<string> =>
  createInterface({ input: createReadStream(archive), crlfDelay: Infinity });

/** Yields the chain's blocks in order. */
export async function* rawBlocks(archive: string): AsyncGenerator<RawBlock, void> {
  for await (const line of linesOf(archive)) yield JSON.parse(line) as RawBlock;
}

/** Without the columns that few transactions fill. */
const TRANSACTION_COLUMNS = transactions.columns.filter(
  ({ property }) => !['asset', 'timestamp', 'signatures'].includes(property),
);

const namesOf = (columns: readonly Column[]): string => columns.map(({ name }) => name).join(', ');

/** Table → columns of its file. */
export const COPIED = {
  public_keys: namesOf(publicKeys.columns),
  addresses: namesOf(addresses.columns),
  blocks: namesOf(blocks.columns),
  transactions: namesOf(TRANSACTION_COLUMNS),
} as const;

/** Numbers values in the order in which blocks mention them, like the indexer. */
export class Numbering {
  private readonly numbers = new Map<string, number>();
  private added: NumberedRow[] = [];

  numberOf(value: string, height: number): number {
    let number = this.numbers.get(value);
    if (number !== undefined) return number;
    number = this.numbers.size + 1;
    this.numbers.set(value, number);
    this.added.push({ number, height, value });
    return number;
  }

  /** The rows that were added since the last call. */
  takeAdded(): NumberedRow[] {
    const { added } = this;
    this.added = [];
    return added;
  }
}

const rowOf = (columns: readonly Column[], row: object): string => {
  const values = row as Readonly<Record<string, unknown>>;
  const fields = columns.map(({ property, form, usual }) => {
    const value = (values[property] ?? null) as string | number | null;
    if (value === null || String(value) === String(usual)) return '\\N';
    return form === undefined ? String(value) : `\\\\x${hexOfForm(form, String(value))}`;
  });
  return `${fields.join('\t')}\n`;
};

/** Table → rows of one block as COPY text. */
export type BlockRows = Readonly<Record<string, readonly string[]>>;

/** Returns a function that makes the rows of the next block. */
const rowMaker = (): ((line: string) => BlockRows) => {
  const keys = new Numbering();
  const recipients = new Numbering();
  return (line) => {
    const block = JSON.parse(line) as RawBlock;
    const { height } = block;
    const own = rowOf(blocks.columns, {
      ...block,
      generator: keys.numberOf(block.generatorPublicKey, height),
    });
    const contents = block.transactions.map(
      ({ vendorField, expiration, senderPublicKey, recipientId, ...transaction }, sequence) =>
        rowOf(TRANSACTION_COLUMNS, {
          ...transaction,
          ...{ blockHeight: height, sequence, expiration: expiration === 0 ? null : expiration },
          sender: keys.numberOf(senderPublicKey, height),
          recipient: recipientId === undefined ? null : recipients.numberOf(recipientId, height),
          vendorField: vendorField && Buffer.from(vendorField).toString('hex'),
        }),
    );
    return {
      public_keys: keys.takeAdded().map((row) => rowOf(publicKeys.columns, row)),
      addresses: recipients.takeAdded().map((row) => rowOf(addresses.columns, row)),
      blocks: [own],
      transactions: contents,
    };
  };
};

/** Writes rows of a chain once beside its archive, so that a run spends no time on making them. `kind` names the files. */
export const writeRowFiles = async (
  { archive }: ChainFile,
  kind: string,
  tables: readonly string[],
  rows: (line: string) => BlockRows,
): Promise<RowFiles> => {
  const base = `${archive.replace(/\.ndjson$/, '')}.${kind}`;
  const files = Object.fromEntries(tables.map((table) => [table, `${base}-${table}.tsv`]));
  const countFile = `${base}-row-count`;
  if (existsSync(countFile)) return { files, rows: Number(readFileSync(countFile, 'utf8')) };
  const streams = new Map(tables.map((table) => [table, createWriteStream(files[table]!)]));
  let count = 0;
  for await (const line of linesOf(archive)) {
    const own = rows(line);
    count += own['blocks']!.length + own['transactions']!.length;
    for (const [table, stream] of streams) {
      if (own[table]!.length > 0 && !stream.write(own[table]!.join(''))) await once(stream, 'drain');
    }
  }
  for (const stream of streams.values()) {
    stream.end();
    await once(stream, 'finish');
  }
  writeFileSync(countFile, String(count));
  return { files, rows: count };
};

/** The rows of our own tables. */
export const rowFiles = (chain: ChainFile): Promise<RowFiles> =>
  writeRowFiles(chain, 'compact', Object.keys(COPIED), rowMaker());
