import type { Block, LedgerBlock, Transaction, TransactionAsset } from '@roundhouse/chain';
import { EncodedBlocks, RowsEncoder, type EncodedRows, type RowSizes } from '@roundhouse/storage';

/**
 * Encoded blocks as they pass from one thread to another: columns instead of objects, which a structured clone would
 * take longer to copy than the ledger takes to apply. Amounts lie below 2^63, as sources see to.
 */
export interface WireBlocks {
  readonly firstHeight: number;
  readonly firstPreviousBlock: string;
  readonly blockIds: readonly string[];
  readonly timestamps: Uint32Array;
  /** Places in `texts`. */
  readonly generators: Uint32Array;
  /** Three a block: total amount, total fee, reward. */
  readonly blockAmounts: BigInt64Array;
  readonly transactionCounts: Uint32Array;
  readonly transactionIds: readonly string[];
  /** Four a transaction: type, type group, places of sender and recipient in `texts`, -1 for no recipient. */
  readonly transactionShapes: Int32Array;
  /** Two a transaction: amount, fee. */
  readonly transactionAmounts: BigInt64Array;
  /** By the transaction's place; most have none. */
  readonly assets: ReadonlyMap<number, TransactionAsset>;
  /** Public keys and recipients, each once. */
  readonly texts: readonly string[];
  readonly blockRows: EncodedRows;
  readonly transactionRows: EncodedRows;
}

const NO_RECIPIENT = -1;

class Texts {
  readonly list: string[] = [];
  private readonly places = new Map<string, number>();

  placeOf(text: string): number {
    const known = this.places.get(text);
    if (known !== undefined) return known;
    const place = this.list.push(text) - 1;
    this.places.set(text, place);
    return place;
  }
}

class Amounts {
  private values = new BigInt64Array(1024);
  private length = 0;

  add(amount: bigint): void {
    if (this.length === this.values.length) {
      const larger = new BigInt64Array(this.length * 2);
      larger.set(this.values);
      this.values = larger;
    }
    this.values[this.length++] = amount;
  }

  finish(): BigInt64Array {
    return this.values.subarray(0, this.length);
  }
}

/** Puts consecutive blocks, at least one, into the form that passes between threads; keeps none of them. */
export class WireWriter {
  private first: Block | null = null;
  private readonly texts = new Texts();
  private readonly rows: RowsEncoder;
  private readonly blockIds: string[] = [];
  private readonly timestamps: number[] = [];
  private readonly generators: number[] = [];
  private readonly blockAmounts = new Amounts();
  private readonly transactionCounts: number[] = [];
  private readonly transactionIds: string[] = [];
  private readonly transactionShapes: number[] = [];
  private readonly transactionAmounts = new Amounts();
  private readonly assets = new Map<number, TransactionAsset>();

  constructor(expected?: RowSizes) {
    this.rows = new RowsEncoder(expected);
  }

  add(block: Block): void {
    this.first ??= block;
    this.rows.add(block);
    this.blockIds.push(block.id);
    this.timestamps.push(block.timestamp);
    this.generators.push(this.texts.placeOf(block.generatorPublicKey));
    this.blockAmounts.add(block.totalAmount);
    this.blockAmounts.add(block.totalFee);
    this.blockAmounts.add(block.reward);
    this.transactionCounts.push(block.transactions.length);
    for (const transaction of block.transactions) this.addTransaction(transaction);
  }

  finish(): WireBlocks {
    const { first } = this;
    if (first === null) throw new RangeError('There are no blocks to hand over.');
    return {
      firstHeight: first.height,
      firstPreviousBlock: first.previousBlock,
      blockIds: this.blockIds,
      timestamps: Uint32Array.from(this.timestamps),
      generators: Uint32Array.from(this.generators),
      blockAmounts: this.blockAmounts.finish(),
      transactionCounts: Uint32Array.from(this.transactionCounts),
      transactionIds: this.transactionIds,
      transactionShapes: Int32Array.from(this.transactionShapes),
      transactionAmounts: this.transactionAmounts.finish(),
      assets: this.assets,
      texts: this.texts.list,
      blockRows: this.rows.blockRows(),
      transactionRows: this.rows.transactionRows(),
    };
  }

  private addTransaction(transaction: Transaction): void {
    const { id, type, typeGroup, senderPublicKey, recipientId, amount, fee, asset } = transaction;
    if (asset !== null) this.assets.set(this.transactionIds.length, asset);
    this.transactionIds.push(id);
    const recipient = recipientId === null ? NO_RECIPIENT : this.texts.placeOf(recipientId);
    this.transactionShapes.push(type, typeGroup, this.texts.placeOf(senderPublicKey), recipient);
    this.transactionAmounts.add(amount);
    this.transactionAmounts.add(fee);
  }
}

/** Smaller ones may share their memory with others, and are copied. */
const LEAST_OWN_BYTES = 64 * 1024;

/** The memory that is handed over instead of copied. */
export const transferables = (wire: WireBlocks): ArrayBuffer[] =>
  [wire.blockAmounts, wire.transactionAmounts, wire.blockRows.bytes, wire.transactionRows.bytes]
    .filter((view) => view.buffer.byteLength >= LEAST_OWN_BYTES)
    .map((view) => view.buffer as ArrayBuffer);

const transactionAt = (wire: WireBlocks, index: number): Transaction => {
  const { transactionShapes: shapes, transactionAmounts: amounts, texts } = wire;
  const shape = index * 4;
  const recipient = shapes[shape + 3]!;
  return {
    id: wire.transactionIds[index]!,
    type: shapes[shape]!,
    typeGroup: shapes[shape + 1]!,
    senderPublicKey: texts[shapes[shape + 2]!]!,
    recipientId: recipient === NO_RECIPIENT ? null : texts[recipient]!,
    amount: amounts[index * 2]!,
    fee: amounts[index * 2 + 1]!,
    asset: wire.assets.get(index) ?? null,
  };
};

const NO_TRANSACTIONS: readonly Transaction[] = [];

/** The blocks that a `WireWriter` was given. */
export const fromWire = (wire: WireBlocks): EncodedBlocks => {
  const { blockIds, blockAmounts, firstHeight } = wire;
  const blocks: LedgerBlock[] = [];
  let nextTransaction = 0;
  let previousBlock = wire.firstPreviousBlock;
  for (let i = 0; i < blockIds.length; i += 1) {
    const count = wire.transactionCounts[i]!;
    const transactions = count === 0 ? NO_TRANSACTIONS : new Array<Transaction>(count);
    for (let j = 0; j < count; j += 1)
      (transactions as Transaction[])[j] = transactionAt(wire, nextTransaction++);
    blocks.push({
      height: firstHeight + i,
      id: blockIds[i]!,
      previousBlock,
      timestamp: wire.timestamps[i]!,
      totalAmount: blockAmounts[i * 3]!,
      totalFee: blockAmounts[i * 3 + 1]!,
      reward: blockAmounts[i * 3 + 2]!,
      generatorPublicKey: wire.texts[wire.generators[i]!]!,
      transactions,
    });
    previousBlock = blockIds[i]!;
  }
  return new EncodedBlocks(blocks, wire.blockRows, wire.transactionRows);
};
