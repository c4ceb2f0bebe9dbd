import { NO_BLOCK_ID } from '../blocks/block.js';
import type { TransactionAsset } from '../transactions/transaction.js';
import { viewOf, type ViewedBytes } from './words.js';

/** Where a text lies in the bytes that hold it. */
export class Span {
  start = 0;
  end = 0;
}

/** A whole number below 2^32. */
export class CountText extends Span {
  value = 0;
}

/** An amount below 2^63, exact, as the halves of its 64 bits: a bigint would be an object for each. */
export class AmountText extends Span {
  low = 0;
  high = 0;
}

export class TransactionText {
  readonly id = new Span();
  readonly type = new CountText();
  typeGroup = 0;
  readonly senderPublicKey = new Span();
  /** Empty where there is none. */
  readonly recipientId = new Span();
  readonly amount = new AmountText();
  readonly fee = new AmountText();
  asset: TransactionAsset | null = null;
}

/**
 * A block as it stands in bytes: decimal and lower-case hexadecimal text as a `Block` would give it, so that rows can be
 * copied from it. Filled again for each block of a chain, and good until then.
 */
export class BlockText implements ViewedBytes {
  private heldBytes: Buffer = Buffer.alloc(0);
  private heldView = viewOf(this.heldBytes);
  readonly height = new CountText();
  readonly id = new Span();
  readonly version = new CountText();
  readonly timestamp = new CountText();
  /** Empty where the genesis block names none. */
  readonly previousBlock = new Span();
  readonly numberOfTransactions = new CountText();
  readonly totalAmount = new AmountText();
  readonly totalFee = new AmountText();
  readonly reward = new AmountText();
  readonly payloadLength = new CountText();
  readonly payloadHash = new Span();
  readonly generatorPublicKey = new Span();
  readonly blockSignature = new Span();
  /** More of them may lie behind the block's own. */
  private readonly pool: TransactionText[] = [];
  transactionCount = 0;

  get bytes(): Buffer {
    return this.heldBytes;
  }

  get view(): DataView {
    return this.heldView;
  }

  /** To be called before it is filled with what stands in these bytes. */
  hold(bytes: Buffer): void {
    if (bytes === this.heldBytes) return;
    this.heldBytes = bytes;
    this.heldView = viewOf(bytes);
  }

  transaction(sequence: number): TransactionText {
    return (this.pool[sequence] ??= new TransactionText());
  }

  get previousId(): string {
    return isEmpty(this.previousBlock) ? NO_BLOCK_ID : this.textOf(this.previousBlock);
  }

  /** The text of a span, which is ASCII. */
  textOf({ start, end }: Span): string {
    return this.bytes.toString('latin1', start, end);
  }
}

export const isEmpty = ({ start, end }: Span): boolean => start === end;

export const amountOf = ({ low, high }: AmountText): bigint => (BigInt(high) << 32n) | BigInt(low);
