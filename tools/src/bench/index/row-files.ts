import { once } from 'node:events';
import { createReadStream, createWriteStream, existsSync, readFileSync, writeFileSync } from 'node:fs';
import { createInterface } from 'node:readline';
import type { ChainFile } from '../chain-files.js';
import type { RowFiles } from './plain-copy.js';

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
  readonly typeGroup: number;
  readonly type: number;
  readonly senderPublicKey: string;
  readonly recipientId?: string;
  readonly amount: string;
  readonly fee: string;
}

/** Yields the chain's blocks in order. */
export async function* rawBlocks(archive: string): AsyncGenerator<RawBlock, void> {
  const lines = createInterface({ input: createReadStream(archive), crlfDelay: Infinity });
  for await (const line of lines) yield JSON.parse(line) as RawBlock;
}

const blockRow = (block: RawBlock): string =>
  [
    block.height,
    block.id,
    block.version,
    block.timestamp,
    block.previousBlock ?? '0',
    block.numberOfTransactions,
    block.totalAmount,
    block.totalFee,
    block.reward,
    block.payloadLength,
    block.payloadHash,
    block.generatorPublicKey,
    block.blockSignature,
  ].join('\t') + '\n';

const transactionRows = ({ height, transactions }: RawBlock): string =>
  transactions
    .map(
      ({ id, typeGroup, type, senderPublicKey, recipientId, amount, fee }, sequence) =>
        [height, sequence, id, typeGroup, type, senderPublicKey, recipientId ?? '\\N', amount, fee].join(
          '\t',
        ) + '\n',
    )
    .join('');

/** Writes the chain's rows once beside its archive, so that the baseline spends no time on making them. */
export const rowFiles = async ({ archive }: ChainFile): Promise<RowFiles> => {
  const base = archive.replace(/\.ndjson$/, '');
  const files = { blocks: `${base}.blocks.tsv`, transactions: `${base}.transactions.tsv` };
  const countFile = `${base}.rows`;
  if (existsSync(countFile)) return { ...files, rows: Number(readFileSync(countFile, 'utf8')) };
  const blocks = createWriteStream(files.blocks);
  const transactions = createWriteStream(files.transactions);
  let rows = 0;
  for await (const block of rawBlocks(archive)) {
    rows += 1 + block.transactions.length;
    if (!blocks.write(blockRow(block))) await once(blocks, 'drain');
    if (block.transactions.length > 0 && !transactions.write(transactionRows(block)))
      await once(transactions, 'drain');
  }
  for (const stream of [blocks, transactions]) {
    stream.end();
    await once(stream, 'finish');
  }
  writeFileSync(countFile, String(rows));
  return { ...files, rows };
};
