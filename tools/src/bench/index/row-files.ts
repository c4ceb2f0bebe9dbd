import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { createReadStream, createWriteStream, existsSync, readFileSync, writeFileSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { blocks, hexOfForm, transactions, type Column } from '@roundhouse/entities/tables';
import type { ChainFile } from '../chain-files.js';

/** The rows of a chain as files for COPY. */
export interface RowFiles {
  readonly blocks: string;
  readonly transactions: string;
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

const EMPTY_PAYLOAD_HASH = createHash('sha256').digest('hex');

type Values = Readonly<Record<string, unknown>>;

/** Without the columns that few transactions fill. */
const TRANSACTION_COLUMNS = transactions.columns.filter(
  ({ property }) => !['asset', 'timestamp', 'signatures'].includes(property),
);

const namesOf = (columns: readonly Column[]): string => columns.map(({ name }) => name).join(', ');

/** The columns of the files. */
export const COPIED = {
  blocks: namesOf(blocks.columns),
  transactions: namesOf(TRANSACTION_COLUMNS),
} as const;

const rowOf = (columns: readonly Column[], values: Values): string => {
  const fields = columns.map(({ property, form }) => {
    const value = (values[property] ?? null) as string | number | null;
    if (value === null) return '\\N';
    return form === undefined ? String(value) : `\\\\x${hexOfForm(form, String(value))}`;
  });
  return `${fields.join('\t')}\n`;
};

const blockRow = ({ payloadHash, ...block }: RawBlock): string =>
  rowOf(blocks.columns, { ...block, payloadHash: payloadHash === EMPTY_PAYLOAD_HASH ? null : payloadHash });

const transactionRows = (block: RawBlock): string[] =>
  block.transactions.map(({ vendorField, expiration, ...transaction }, sequence) =>
    rowOf(TRANSACTION_COLUMNS, {
      ...transaction,
      ...{ blockHeight: block.height, sequence, expiration: expiration === 0 ? null : expiration },
      vendorField: vendorField && Buffer.from(vendorField).toString('hex'),
    }),
  );

/** The rows of one block as COPY text. */
export interface BlockRows {
  readonly block: string;
  readonly transactions: readonly string[];
}

const rowsOf = (line: string): BlockRows => {
  const block = JSON.parse(line) as RawBlock;
  return { block: blockRow(block), transactions: transactionRows(block) };
};

/** Writes rows of a chain once beside its archive, so that a run spends no time on making them. `kind` names the files. */
export const writeRowFiles = async (
  { archive }: ChainFile,
  kind: string,
  rows: (line: string) => BlockRows,
): Promise<RowFiles> => {
  const base = archive.replace(/\.ndjson$/, '');
  const files = {
    blocks: `${base}.${kind}block-rows.tsv`,
    transactions: `${base}.${kind}transaction-rows.tsv`,
  };
  const countFile = `${base}.${kind}row-count`;
  if (existsSync(countFile)) return { ...files, rows: Number(readFileSync(countFile, 'utf8')) };
  const blockFile = createWriteStream(files.blocks);
  const transactionFile = createWriteStream(files.transactions);
  let count = 0;
  for await (const line of linesOf(archive)) {
    const { block, transactions: own } = rows(line);
    count += 1 + own.length;
    if (!blockFile.write(block)) await once(blockFile, 'drain');
    if (own.length > 0 && !transactionFile.write(own.join(''))) await once(transactionFile, 'drain');
  }
  for (const stream of [blockFile, transactionFile]) {
    stream.end();
    await once(stream, 'finish');
  }
  writeFileSync(countFile, String(count));
  return { ...files, rows: count };
};

/** The rows of our own tables. */
export const rowFiles = (chain: ChainFile): Promise<RowFiles> => writeRowFiles(chain, '', rowsOf);
