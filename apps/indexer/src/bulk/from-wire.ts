import type { LedgerBlock, LedgerTransaction, TransactionAsset } from '@roundhouse/chain';
import { EncodedBlocks } from '@roundhouse/storage';
import { ID_CHARACTERS } from './wire-columns.js';
import { NO_RECIPIENT, type WireBlocks } from './wire.js';

/** A transaction that reads its id on access, because hardly any effect needs it. */
class WireTransaction implements LedgerTransaction {
  readonly type: number;
  readonly typeGroup: number;
  readonly senderPublicKey: string;
  readonly recipientId: string | null;
  readonly amount: bigint;
  readonly fee: bigint;
  readonly asset: TransactionAsset | null;

  constructor(
    private readonly wire: WireBlocks,
    private readonly index: number,
    texts: readonly string[],
  ) {
    const { transactionShapes: shapes, transactionAmounts: amounts } = wire;
    const shape = index * 4;
    const recipient = shapes[shape + 3]!;
    this.type = shapes[shape]!;
    this.typeGroup = shapes[shape + 1]!;
    this.senderPublicKey = texts[shapes[shape + 2]!]!;
    this.recipientId = recipient === NO_RECIPIENT ? null : texts[recipient]!;
    this.amount = amounts[index * 2]!;
    this.fee = amounts[index * 2 + 1]!;
    this.asset = wire.assets.get(index) ?? null;
  }

  get id(): string {
    const { buffer, byteOffset } = this.wire.transactionIds;
    const start = byteOffset + this.index * ID_CHARACTERS;
    return Buffer.from(buffer, start, ID_CHARACTERS).toString('latin1');
  }
}

/**
 * A block that makes its amounts and transactions on access, when its turn comes. Objects made earlier would live long
 * enough to burden the garbage collector.
 */
class WireBlock implements LedgerBlock {
  private made: readonly LedgerTransaction[] | null = null;

  constructor(
    private readonly wire: WireBlocks,
    private readonly index: number,
    private readonly firstTransaction: number,
    private readonly texts: readonly string[],
    readonly id: string,
    readonly previousBlock: string,
  ) {}

  get height(): number {
    return this.wire.firstHeight + this.index;
  }

  get timestamp(): number {
    return this.wire.timestamps[this.index]!;
  }

  get totalAmount(): bigint {
    return this.wire.blockAmounts[this.index * 3]!;
  }

  get totalFee(): bigint {
    return this.wire.blockAmounts[this.index * 3 + 1]!;
  }

  get reward(): bigint {
    return this.wire.blockAmounts[this.index * 3 + 2]!;
  }

  get generatorPublicKey(): string {
    return this.texts[this.wire.generators[this.index]!]!;
  }

  get numberOfTransactions(): number {
    return this.wire.transactionCounts[this.index]!;
  }

  get transactions(): readonly LedgerTransaction[] {
    return (this.made ??= this.make());
  }

  private make(): readonly LedgerTransaction[] {
    const { wire, texts, firstTransaction } = this;
    const transactions: LedgerTransaction[] = [];
    for (let i = 0; i < this.numberOfTransactions; i += 1)
      transactions.push(new WireTransaction(wire, firstTransaction + i, texts));
    return transactions;
  }
}

/** The blocks that were given to a `WireWriter`. */
export const fromWire = (wire: WireBlocks, texts: readonly string[]): EncodedBlocks => {
  const blocks: WireBlock[] = [];
  let firstTransaction = 0;
  let previousBlock = wire.firstPreviousBlock;
  for (const id of wire.blockIds.split(',')) {
    const block = new WireBlock(wire, blocks.length, firstTransaction, texts, id, previousBlock);
    blocks.push(block);
    firstTransaction += block.numberOfTransactions;
    previousBlock = id;
  }
  return new EncodedBlocks(blocks, wire.blockRows, wire.transactionRows, wire.signatures);
};
