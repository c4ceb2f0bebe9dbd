import {
  addAccountSignatures,
  isEmpty,
  type AccountSignatures,
  type BlockText,
  type SignaturesById,
  type TransactionRules,
  type TransactionText,
} from '@roundhouse/blocks';
import type { TransactionAsset } from '@roundhouse/chain';
import { RowsEncoder, type EncodedRows, type RowFields, type RowSizes } from '@roundhouse/storage/rows';
import type { NewTexts, SentTexts } from './sent-texts.js';
import { Amounts, Ids } from './wire-columns.js';

/**
 * Encoded blocks in the form in which they pass between threads: columns instead of objects, because a structured clone
 * of objects takes longer than the ledger needs to apply them. Sources ensure that amounts are below 2^63.
 */
export interface WireBlocks {
  readonly firstHeight: number;
  readonly firstPreviousBlock: string;
  /** Separated by commas: sending one text is many times faster than sending a list. */
  readonly blockIds: string;
  readonly timestamps: Uint32Array;
  /** Indexes into the texts. */
  readonly generators: Uint32Array;
  /** Three per block: total amount, total fee, reward. */
  readonly blockAmounts: BigInt64Array;
  readonly transactionCounts: Uint32Array;
  /** As hexadecimal text, `ID_CHARACTERS` each. */
  readonly transactionIds: Uint8Array;
  /** Four per transaction: type, type group, and the text indexes of sender and recipient, -1 for no recipient. */
  readonly transactionShapes: Int32Array;
  /** Two per transaction: amount, fee. */
  readonly transactionAmounts: BigInt64Array;
  /** By the transaction's index; most transactions have none. */
  readonly assets: ReadonlyMap<number, TransactionAsset>;
  /** Public keys and recipients that have not been sent before. */
  readonly newTexts: NewTexts;
  readonly blockRows: EncodedRows;
  readonly transactionRows: EncodedRows;
  readonly signatures: SignaturesById | null;
}

export const NO_RECIPIENT = -1;

/** Converts consecutive blocks, at least one, into the form that passes between threads; keeps none of them. */
export class WireWriter {
  private first: { readonly height: number; readonly previousBlock: string } | null = null;
  private readonly rows: RowsEncoder;
  private readonly blockIds: string[] = [];
  private readonly timestamps: number[] = [];
  private readonly generators: number[] = [];
  private readonly blockAmounts = new Amounts();
  private readonly transactionCounts: number[] = [];
  private readonly transactionIds = new Ids();
  private transactions = 0;
  private readonly transactionShapes: number[] = [];
  private readonly transactionAmounts = new Amounts();
  private readonly assets = new Map<number, TransactionAsset>();
  private readonly signatures = new Map<string, AccountSignatures | null>();

  /** `verifiedBy`: the rules, if signatures are to be verified. */
  constructor(
    private readonly texts: SentTexts,
    fields: RowFields,
    expected?: RowSizes,
    private readonly verifiedBy: TransactionRules | null = null,
  ) {
    texts.beginSegment();
    this.rows = new RowsEncoder(fields, expected);
  }

  add(block: BlockText): void {
    this.first ??= { height: block.height.value, previousBlock: block.previousId };
    this.rows.add(block);
    if (this.verifiedBy) addAccountSignatures(this.signatures, block, this.verifiedBy);
    this.blockIds.push(block.textOf(block.id));
    this.timestamps.push(block.timestamp.value);
    this.generators.push(this.texts.placeOfBytes(block, block.generatorPublicKey));
    this.blockAmounts.add(block.totalAmount);
    this.blockAmounts.add(block.totalFee);
    this.blockAmounts.add(block.reward);
    this.transactionCounts.push(block.transactionCount);
    for (let i = 0; i < block.transactionCount; i += 1) this.addTransaction(block, block.transaction(i));
  }

  finish(): WireBlocks {
    const { first } = this;
    if (first === null) throw new RangeError('There are no blocks to hand over.');
    return {
      firstHeight: first.height,
      firstPreviousBlock: first.previousBlock,
      blockIds: this.blockIds.join(','),
      timestamps: Uint32Array.from(this.timestamps),
      generators: Uint32Array.from(this.generators),
      blockAmounts: this.blockAmounts.finish(),
      transactionCounts: Uint32Array.from(this.transactionCounts),
      transactionIds: this.transactionIds.finish(),
      transactionShapes: Int32Array.from(this.transactionShapes),
      transactionAmounts: this.transactionAmounts.finish(),
      assets: this.assets,
      newTexts: this.texts.take(),
      blockRows: this.rows.blockRows(),
      transactionRows: this.rows.transactionRows(),
      signatures: this.verifiedBy === null ? null : this.signatures,
    };
  }

  private addTransaction(block: BlockText, transaction: TransactionText): void {
    const { id, type, typeGroup, senderPublicKey, amount, fee, asset } = transaction;
    if (asset !== null) this.assets.set(this.transactions, asset);
    this.transactions += 1;
    this.transactionIds.add(block.view, id);
    const recipient = this.recipientOf(block, transaction);
    const sender = this.texts.placeOfBytes(block, senderPublicKey);
    this.transactionShapes.push(type.value, typeGroup.value, sender, recipient);
    this.transactionAmounts.add(amount);
    this.transactionAmounts.add(fee);
  }

  private recipientOf(block: BlockText, { recipientId, oddRecipient }: TransactionText): number {
    if (oddRecipient !== null) return this.texts.placeOf(oddRecipient);
    return isEmpty(recipientId) ? NO_RECIPIENT : this.texts.placeOfBytes(block, recipientId);
  }
}

/** Smaller buffers may share their memory with others, and are copied. */
const LEAST_OWN_BYTES = 64 * 1024;

/** The memory that is transferred instead of copied. */
export const transferables = (wire: WireBlocks): ArrayBuffer[] =>
  [
    wire.blockAmounts,
    wire.transactionAmounts,
    wire.transactionIds,
    wire.blockRows.bytes,
    wire.transactionRows.bytes,
  ]
    .filter((view) => view.buffer.byteLength >= LEAST_OWN_BYTES)
    .map((view) => view.buffer as ArrayBuffer);
