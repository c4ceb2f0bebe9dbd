import { NO_BLOCK_ID, type TransactionAsset, type Block, type Transaction } from '@roundhouse/chain';
import { viewOf, type ViewedBytes } from './words.js';

/** The position of a text in the bytes that hold it. */
export class Span {
  start = 0;
  end = 0;
}

/** A whole number below 2^31, or below 2^32 where a field says so. */
export class CountText extends Span {
  value = 0;
}

/** An exact amount below 2^63, as the two halves of its 64 bits: a bigint would need an object for each. */
export class AmountText extends Span {
  low = 0;
  high = 0;
}

/** Marks an absent field whose value may be 0. */
export const NONE = -1;

export class TransactionText {
  readonly id = new Span();
  readonly version = new CountText();
  /** `NONE` if the line does not say. */
  readonly network = new CountText();
  /** As Core numbers types since 2.6. */
  readonly type = new CountText();
  readonly typeGroup = new CountText();
  /** Ignored if there is a nonce. */
  readonly timestamp = new CountText();
  readonly nonce = new AmountText();
  hasNonce = false;
  readonly senderPublicKey = new Span();
  /** Empty if there is none, or if `oddRecipient` holds it. */
  readonly recipientId = new Span();
  /** A recipient that is not plain ASCII; no address is like that. */
  oddRecipient: string | null = null;
  readonly amount = new AmountText();
  readonly fee = new AmountText();
  /** Below 2^32. */
  readonly expiration = new CountText();
  /** Empty if there is none. UTF-8, or hexadecimal text of other bytes. */
  readonly vendorField = new Span();
  isVendorFieldHex = false;
  asset: TransactionAsset | null = null;
  /** Hexadecimal text, like `secondSignature`. Each is empty if there is none. */
  readonly signature = new Span();
  readonly secondSignature = new Span();
  /** Rare: only members of multi-signature accounts make them. */
  signatures: readonly string[] | null = null;
}

/**
 * A block as it stands in the bytes of its line: decimal and lower-case hexadecimal text, from which rows can be
 * copied. It is filled again for each block of a chain, and valid until then.
 */
export class BlockText implements ViewedBytes {
  private heldBytes: Buffer = Buffer.alloc(0);
  private heldView = viewOf(this.heldBytes);
  readonly height = new CountText();
  readonly id = new Span();
  readonly version = new CountText();
  readonly timestamp = new CountText();
  /** Empty if the genesis block has none. */
  readonly previousBlock = new Span();
  readonly numberOfTransactions = new CountText();
  readonly totalAmount = new AmountText();
  readonly totalFee = new AmountText();
  readonly reward = new AmountText();
  readonly payloadLength = new CountText();
  readonly payloadHash = new Span();
  readonly generatorPublicKey = new Span();
  readonly blockSignature = new Span();
  /** Used again for each block, so it may be longer than `transactionCount`. */
  private readonly pool: TransactionText[] = [];
  transactionCount = 0;

  get bytes(): Buffer {
    return this.heldBytes;
  }

  get view(): DataView {
    return this.heldView;
  }

  /** Call this before filling the block with values from these bytes. */
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

  /** The bytes of a vendor field, in hexadecimal text; null if there is none. */
  vendorFieldOf({ vendorField, isVendorFieldHex }: TransactionText): string | null {
    if (isEmpty(vendorField)) return null;
    return isVendorFieldHex
      ? this.textOf(vendorField)
      : this.bytes.toString('hex', vendorField.start, vendorField.end);
  }

  /** The text of a span. It must be ASCII. */
  textOf({ start, end }: Span): string {
    return this.bytes.toString('latin1', start, end);
  }
}

export const isEmpty = ({ start, end }: Span): boolean => start === end;

export const bigintOf = ({ low, high }: AmountText): bigint => (BigInt(high) << 32n) | BigInt(low);

const transactionOf = (text: BlockText, transaction: TransactionText): Transaction => ({
  id: text.textOf(transaction.id),
  version: transaction.version.value,
  network: transaction.network.value === NONE ? null : transaction.network.value,
  type: transaction.type.value,
  typeGroup: transaction.typeGroup.value,
  timestamp: transaction.hasNonce ? null : transaction.timestamp.value,
  nonce: transaction.hasNonce ? bigintOf(transaction.nonce) : null,
  senderPublicKey: text.textOf(transaction.senderPublicKey),
  recipientId: transaction.oddRecipient ?? (text.textOf(transaction.recipientId) || null),
  amount: bigintOf(transaction.amount),
  fee: bigintOf(transaction.fee),
  expiration: transaction.expiration.value,
  vendorField: text.vendorFieldOf(transaction),
  asset: transaction.asset,
  signature: text.textOf(transaction.signature) || null,
  secondSignature: text.textOf(transaction.secondSignature) || null,
  signatures: transaction.signatures,
});

/** The block that a text holds. */
export const blockOfText = (text: BlockText): Block => ({
  height: text.height.value,
  id: text.textOf(text.id),
  version: text.version.value,
  timestamp: text.timestamp.value,
  previousBlock: text.previousId,
  numberOfTransactions: text.numberOfTransactions.value,
  totalAmount: bigintOf(text.totalAmount),
  totalFee: bigintOf(text.totalFee),
  reward: bigintOf(text.reward),
  payloadLength: text.payloadLength.value,
  payloadHash: text.textOf(text.payloadHash),
  generatorPublicKey: text.textOf(text.generatorPublicKey),
  blockSignature: text.textOf(text.blockSignature),
  transactions: Array.from({ length: text.transactionCount }, (_, sequence) =>
    transactionOf(text, text.transaction(sequence)),
  ),
});
