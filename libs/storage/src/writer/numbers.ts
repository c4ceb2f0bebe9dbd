import { viewOf } from '@roundhouse/blocks';
import {
  addresses,
  payments,
  publicKeys,
  type PaymentEntity,
  type PublicKeyEntity,
  type Table,
} from '@roundhouse/entities/tables';
import { arraysOf, selectFrom } from '@roundhouse/entities/sql';
import type { EncodedRows } from './copy-binary.js';
import type { CopyRows } from './copy-in.js';
import { textInto } from './copy-text.js';
import type { EncodedBlocks } from './encoded-blocks.js';
import type { ReadRows } from './load-working-set.js';

/** At least this many numbers of each table stay in memory: those that were used last. */
const KEPT_NUMBERS = 50_000;

/** A public key or an address: their tables have the same columns. */
type NumberedRow = PublicKeyEntity;

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
    private readonly table: Table<NumberedRow>,
    private readonly read: ReadRows,
  ) {}

  /** Has to be called before `load` and `numberOf` for each value. */
  want(value: string): void {
    if (!this.recent.has(value) && !this.older.has(value)) this.wanted.add(value);
  }

  /** Reads the numbers of the wanted values. */
  async load(): Promise<void> {
    if (this.wanted.size === 0) return;
    const { name, columns } = this.table;
    const key = columns.filter(({ property }) => property === 'value');
    const values = [...this.wanted].map((value) => ({ value }));
    this.wanted.clear();
    const known = await this.read<NumberedRow>(
      `${selectFrom(this.table)} WHERE value = ANY($1::${key[0]!.type}[])`,
      arraysOf(values, key),
    );
    for (const { value, number } of known) this.recent.set(value, number);
    this.last ??= (
      await this.read<{ last: number }>(`SELECT coalesce(max(number), 0) AS last FROM ${name}`, [])
    )[0]!.last;
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

/** Returns a function that fills in the next number of the rows. */
const filler = ({ bytes, numbersAt }: EncodedRows): ((number: number) => void) => {
  const view = viewOf(bytes);
  let next = 0;
  return (number) => view.setInt32(numbersAt[next++]!, number);
};

const keyText = textInto(publicKeys);
const addressText = textInto(addresses);
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
    this.keys = new Numbers(publicKeys, read);
    this.addresses = new Numbers(addresses, read);
  }

  /** Fills in the numbers in the rows of blocks. Returns the rows of new numbers and of payments. */
  async fillIn(encoded: EncodedBlocks): Promise<CopyRows[]> {
    const { keys, addresses } = this;
    keys.forget();
    addresses.forget();
    for (const { generatorPublicKey, transactions } of encoded.blocks) {
      keys.want(generatorPublicKey);
      for (const { senderPublicKey, recipientId, asset } of transactions) {
        keys.want(senderPublicKey);
        if (recipientId !== null) addresses.want(recipientId);
        for (const payment of asset?.payments ?? []) addresses.want(payment.recipientId);
      }
    }
    await Promise.all([keys.load(), addresses.load()]);
    const blockNumber = filler(encoded.blockRows);
    const transactionNumber = filler(encoded.transactionRows);
    const paid: PaymentEntity[] = [];
    for (const { height, generatorPublicKey, transactions } of encoded.blocks) {
      blockNumber(keys.numberOf(generatorPublicKey, height));
      for (const [sequence, { senderPublicKey, recipientId, asset }] of transactions.entries()) {
        transactionNumber(keys.numberOf(senderPublicKey, height));
        if (recipientId !== null) transactionNumber(addresses.numberOf(recipientId, height));
        for (const address of new Set(asset?.payments?.map((payment) => payment.recipientId)))
          paid.push({ recipient: addresses.numberOf(address, height), blockHeight: height, sequence });
      }
    }
    return [keyText(keys.takeAdded()), addressText(addresses.takeAdded()), paymentText(paid)];
  }

  /** Returns what to call when all numbers so far are committed. */
  mark(): () => void {
    const marks = [this.keys.mark(), this.addresses.mark()];
    return () => marks.forEach((commit) => commit());
  }
}
