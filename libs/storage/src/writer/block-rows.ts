import { DAY_SECONDS, type Block, type Transaction } from '@roundhouse/chain';
import {
  addresses,
  blocks,
  payments,
  publicKeys,
  transactions,
  type BlockEntity,
  type DailyFeeEntity,
  type PaymentEntity,
  type PublicKeyEntity,
  type Table,
  type TransactionEntity,
} from '@roundhouse/entities/tables';
import { arraysOf, selectFrom } from '@roundhouse/entities/sql';
import { assetColumn } from './asset-column.js';
import { textInto, type CopyRows } from './copy.js';
import type { ReadRows } from './load-working-set.js';

/** At least this many numbers of each table stay in memory: those that were used last. */
const KEPT_NUMBERS = 50_000;

/** A public key or an address: their tables have the same columns. */
type NumberedRow = PublicKeyEntity;

/** The statements that read a table of numbers. */
const readingOf = (table: Table<NumberedRow>) => {
  const key = table.columns.filter(({ property }) => property === 'value');
  return {
    key,
    known: `${selectFrom(table)} WHERE value = ANY($1::${key[0]!.type}[])`,
    last: `SELECT coalesce(max(number), 0) AS last FROM ${table.name}`,
  };
};

const KEYS = readingOf(publicKeys);
const ADDRESSES = readingOf(addresses);

/** The numbers of one table. A value without a number gets the next one. */
class Numbers {
  /** Value → number. When `recent` has grown, it becomes `older`, and what was `older` is forgotten. */
  private recent = new Map<string, number>();
  private older = new Map<string, number>();
  private readonly wanted = new Set<string>();
  private added: NumberedRow[] = [];
  private last: number | null = null;
  private committed = 0;

  constructor(
    private readonly reading: ReturnType<typeof readingOf>,
    private readonly read: ReadRows,
  ) {}

  /** Has to be called before `load` and `numberOf` for each value. */
  want(value: string): void {
    if (!this.recent.has(value) && !this.older.has(value)) this.wanted.add(value);
  }

  /** Reads the numbers of the wanted values. */
  async load(): Promise<void> {
    if (this.wanted.size === 0) return;
    const { key, known, last } = this.reading;
    const values = [...this.wanted].map((value) => ({ value }));
    this.wanted.clear();
    for (const { value, number } of await this.read<NumberedRow>(known, arraysOf(values, key)))
      this.recent.set(value, number);
    this.last ??= (await this.read<{ last: number }>(last, []))[0]!.last;
  }

  /** `height` is that of the block that mentions the value. */
  numberOf(value: string, height: number): number {
    let number = this.recent.get(value);
    if (number !== undefined) return number;
    number = this.older.get(value);
    if (number === undefined) {
      number = this.last! += 1;
      this.added.push({ number, height, value });
    }
    this.recent.set(value, number);
    return number;
  }

  takeAdded(): NumberedRow[] {
    const { added } = this;
    this.added = [];
    return added;
  }

  /** Numbers that are not committed stay, because reads may not find their rows yet. */
  forget(): void {
    if (this.recent.size < KEPT_NUMBERS) return;
    const uncommitted = [...this.older].filter(([, number]) => number > this.committed);
    this.older = this.recent;
    this.recent = new Map(uncommitted);
  }

  /** Returns what to call when all numbers so far are committed. */
  mark(): () => void {
    const { last } = this;
    return () => (this.committed = last ?? 0);
  }
}

// Written out: a spread takes ten times as long.
const blockRow = (block: Block, generator: number): BlockEntity => ({
  height: block.height,
  id: block.id,
  version: block.version,
  timestamp: block.timestamp,
  numberOfTransactions: block.numberOfTransactions,
  totalAmount: block.totalAmount,
  totalFee: block.totalFee,
  reward: block.reward,
  payloadLength: block.payloadLength,
  payloadHash: block.payloadHash,
  generator,
  blockSignature: block.blockSignature,
});

const transactionRow = (
  transaction: Transaction,
  blockHeight: number,
  sequence: number,
  sender: number,
  recipient: number | null,
): TransactionEntity => ({
  blockHeight,
  sequence,
  id: transaction.id,
  version: transaction.version,
  network: transaction.network,
  typeGroup: transaction.typeGroup,
  type: transaction.type,
  timestamp: transaction.timestamp,
  nonce: transaction.nonce,
  sender,
  recipient,
  amount: transaction.amount,
  fee: transaction.fee,
  expiration: transaction.expiration === 0 ? null : BigInt(transaction.expiration),
  vendorField: transaction.vendorField,
  asset: transaction.asset && assetColumn(transaction.asset),
  signature: transaction.signature,
  secondSignature: transaction.secondSignature,
  signatures: transaction.signatures,
});

const keyText = textInto(publicKeys);
const addressText = textInto(addresses);
const blockText = textInto(blocks);
const transactionText = textInto(transactions);
const paymentText = textInto(payments);

/**
 * Numbers the keys and addresses that blocks mention, in the order in which they do. So the numbers do not depend on
 * batches, and after undoing, the same blocks get the same numbers.
 */
export class MentionNumbers {
  private readonly keys: Numbers;
  private readonly addresses: Numbers;

  /** `read` must see all rows that are committed. */
  constructor(read: ReadRows) {
    this.keys = new Numbers(KEYS, read);
    this.addresses = new Numbers(ADDRESSES, read);
  }

  /** The rows of blocks, of their transactions and payments, and of new numbers. */
  async rowsOf(all: readonly Block[]): Promise<CopyRows[]> {
    await this.load(all);
    const blockRows: BlockEntity[] = [];
    const transactionRows: TransactionEntity[] = [];
    const paid: PaymentEntity[] = [];
    for (const block of all) {
      const { height } = block;
      blockRows.push(blockRow(block, this.keys.numberOf(block.generatorPublicKey, height)));
      for (const [sequence, transaction] of block.transactions.entries()) {
        const { senderPublicKey, recipientId, asset } = transaction;
        const sender = this.keys.numberOf(senderPublicKey, height);
        const recipient = recipientId === null ? null : this.addresses.numberOf(recipientId, height);
        transactionRows.push(transactionRow(transaction, height, sequence, sender, recipient));
        if (asset?.payments === undefined) continue;
        for (const address of new Set(asset.payments.map((payment) => payment.recipientId)))
          paid.push({ recipient: this.addresses.numberOf(address, height), blockHeight: height, sequence });
      }
    }
    return [
      keyText(this.keys.takeAdded()),
      addressText(this.addresses.takeAdded()),
      blockText(blockRows),
      transactionText(transactionRows),
      paymentText(paid),
    ];
  }

  /** Returns what to call when all numbers so far are committed. */
  mark(): () => void {
    const marks = [this.keys.mark(), this.addresses.mark()];
    return () => marks.forEach((commit) => commit());
  }

  private async load(all: readonly Block[]): Promise<void> {
    const { keys, addresses } = this;
    keys.forget();
    addresses.forget();
    for (const { generatorPublicKey, transactions } of all) {
      keys.want(generatorPublicKey);
      for (const { senderPublicKey, recipientId, asset } of transactions) {
        keys.want(senderPublicKey);
        if (recipientId !== null) addresses.want(recipientId);
        for (const payment of asset?.payments ?? []) addresses.want(payment.recipientId);
      }
    }
    await Promise.all([keys.load(), addresses.load()]);
  }
}

/** Sums up the fees of the blocks of a batch. */
export class DailyFees {
  private rows = new Map<string, DailyFeeEntity>();

  add({ height, timestamp, transactions }: Block): void {
    const day = Math.floor(timestamp / DAY_SECONDS);
    for (const { typeGroup, type, fee } of transactions) {
      const key = `${day} ${typeGroup} ${type}`;
      let row = this.rows.get(key);
      if (row === undefined) {
        const fees = { minFee: fee, maxFee: fee, sumFee: 0n };
        row = { day, typeGroup, type, firstHeight: height, count: 0, ...fees };
        this.rows.set(key, row);
      }
      row.count += 1;
      row.sumFee += fee;
      if (fee < row.minFee) row.minFee = fee;
      if (fee > row.maxFee) row.maxFee = fee;
    }
  }

  /** The rows of the blocks since the last call. */
  take(): DailyFeeEntity[] {
    const rows = [...this.rows.values()];
    this.rows.clear();
    return rows;
  }
}
