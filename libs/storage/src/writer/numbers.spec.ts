import { viewOf } from '@roundhouse/blocks';
import type { LedgerBlock, LedgerTransaction } from '@roundhouse/chain';
import { randomChain } from '@roundhouse/testing';
import type { EncodedRows } from './copy-binary.js';
import { EncodedBlocks } from './encoded-blocks.js';
import { MentionNumbers } from './numbers.js';

/** What a database has of the tables of numbers, and how many payments. */
class Tables {
  private readonly numbers: Readonly<Record<string, Map<string, number>>> = {
    public_keys: new Map(),
    addresses: new Map(),
  };
  /** How many values were asked for. */
  asked = 0;
  payments = 0;

  read = async <Row extends object>(sql: string, [values]: unknown[]): Promise<Row[]> => {
    const numbers = this.numbers[/FROM (\w+)/.exec(sql)![1]!]!;
    if (values === undefined) return [{ last: numbers.size }] as unknown as Row[];
    const found = (values as string[]).flatMap((text) => {
      const value = text.replace('\\x', '');
      const number = numbers.get(value);
      return number === undefined ? [] : [{ value, number }];
    });
    this.asked += (values as string[]).length;
    return found as unknown as Row[];
  };

  write(copies: Awaited<ReturnType<MentionNumbers['fillIn']>>): void {
    for (const { table, columns, chunks } of copies) {
      const [number, value] = [columns.indexOf('number'), columns.indexOf('value')];
      const lines = Buffer.concat(chunks).toString().split('\n').slice(0, -1);
      if (table === 'payments') {
        this.payments += lines.length;
        continue;
      }
      for (const line of lines) {
        const fields = line.split('\t');
        this.numbers[table]!.set(fields[value]!.replace('\\\\x', ''), Number(fields[number]));
      }
    }
  }

  numberOf(table: string, value: string): number | undefined {
    return this.numbers[table]!.get(value);
  }
}

const numbersIn = ({ bytes, numbersAt }: EncodedRows): number[] =>
  [...numbersAt].map((at) => viewOf(bytes).getInt32(at));

const rowsOf = (numbers: number): EncodedRows => ({
  bytes: Buffer.alloc(numbers * 4),
  ends: Uint32Array.of(numbers * 4),
  numbersAt: Uint32Array.from({ length: numbers }, (_, place) => place * 4),
});

/** A block without transactions for each key; the rows have nothing but the numbers. */
const blocksOf = (keys: readonly string[], height: number): EncodedBlocks =>
  new EncodedBlocks(
    keys.map(
      (generatorPublicKey) => ({ height, generatorPublicKey, transactions: [] }) as unknown as LedgerBlock,
    ),
    rowsOf(keys.length),
    rowsOf(0),
  );

const transaction = (
  senderPublicKey: string,
  recipientId: string | null,
  ...paid: readonly string[]
): LedgerTransaction =>
  ({
    senderPublicKey,
    recipientId,
    asset: paid.length === 0 ? null : { payments: paid.map((each) => ({ recipientId: each, amount: 1n })) },
  }) as LedgerTransaction;

describe('the numbers of keys and addresses', () => {
  it('follow the order in which blocks mention them, a block before its transactions', async () => {
    const transactions = [transaction('b', 'X'), transaction('a', null), transaction('c', 'Y')];
    const blocks = [
      { height: 7, generatorPublicKey: 'a', transactions },
      { height: 8, generatorPublicKey: 'd', transactions: [transaction('e', 'X')] },
    ] as unknown as LedgerBlock[];
    const encoded = new EncodedBlocks(blocks, rowsOf(2), rowsOf(7));
    const [keys, addresses] = await new MentionNumbers(new Tables().read).fillIn(encoded);
    expect(numbersIn(encoded.blockRows)).toEqual([1, 4]);
    expect(numbersIn(encoded.transactionRows)).toEqual([2, 1, 1, 3, 2, 5, 1]);
    expect(keys).toMatchObject({ table: 'public_keys', columns: ['number', 'height', 'value'] });
    expect(Buffer.concat(keys!.chunks).toString()).toBe(
      ['1\t7\ta', '2\t7\tb', '3\t7\tc', '4\t8\td', '5\t8\te', ''].join('\n').replaceAll(/(\w\n)/g, '\\\\x$1'),
    );
    expect(Buffer.concat(addresses!.chunks).toString()).toBe('1\t7\tX\n2\t7\tY\n');
  });

  it('are given to the recipients of payments too, which find each transaction once', async () => {
    const transactions = [transaction('a', 'X'), transaction('a', null, 'Y', 'X', 'Y', 'Z')];
    const blocks = [
      { height: 7, generatorPublicKey: 'a', transactions },
      { height: 8, generatorPublicKey: 'a', transactions: [transaction('a', null, 'W', 'Z')] },
    ] as unknown as LedgerBlock[];
    const encoded = new EncodedBlocks(blocks, rowsOf(2), rowsOf(4));
    const [, addresses, payments] = await new MentionNumbers(new Tables().read).fillIn(encoded);
    expect(Buffer.concat(addresses!.chunks).toString()).toBe('1\t7\tX\n2\t7\tY\n3\t7\tZ\n4\t8\tW\n');
    expect(payments).toMatchObject({ table: 'payments', columns: ['recipient', 'block_height', 'sequence'] });
    expect(Buffer.concat(payments!.chunks).toString()).toBe('2\t7\t1\n1\t7\t1\n3\t7\t1\n4\t8\t0\n3\t8\t0\n');
  });

  it('are the same whether blocks are written at once, in parts, or by writers one after the other', async () => {
    const { blocks } = randomChain({ seed: 4, blocks: 60 });
    const numbered = async (parts: readonly EncodedBlocks[], isOneWriter: boolean): Promise<number[][]> => {
      const tables = new Tables();
      let numbers = new MentionNumbers(tables.read);
      const found: [number[], number[]] = [[], []];
      for (const part of parts) {
        tables.write(await numbers.fillIn(part));
        found[0].push(...numbersIn(part.blockRows));
        found[1].push(...numbersIn(part.transactionRows));
        if (!isOneWriter) numbers = new MentionNumbers(tables.read);
      }
      return found;
    };
    const whole = await numbered([EncodedBlocks.of(blocks)], true);
    expect(whole[1]!.length).toBeGreaterThan(100);
    const encoded = EncodedBlocks.of(blocks);
    const parts = [encoded.slice(0, 1), encoded.slice(1, 23), encoded.slice(23, 60)];
    expect(await numbered(parts, true)).toEqual(whole);
    expect(await numbered(parts, false)).toEqual(whole);
  });

  it('are read again when memory no longer has them, and stay in memory until they are committed', async () => {
    const tables = new Tables();
    const numbers = new MentionNumbers(tables.read);
    const keys = Array.from({ length: 4 }, (_, part) =>
      Array.from({ length: 60_000 }, (__, place) => (part * 60_000 + place).toString(16).padStart(8, '0')),
    );
    for (const [part, values] of keys.entries()) tables.write(await numbers.fillIn(blocksOf(values, part)));
    const again = async (value: string): Promise<number> => {
      const encoded = blocksOf([value], 9);
      expect(Buffer.concat((await numbers.fillIn(encoded)).flatMap(({ chunks }) => chunks)).length).toBe(0);
      return numbersIn(encoded.blockRows)[0]!;
    };
    const { asked } = tables;
    expect(await again(keys[0]![5]!)).toBe(6);
    expect(tables.asked).toBe(asked);
    numbers.mark()();
    for (const values of keys) await numbers.fillIn(blocksOf(values, 9));
    expect(await again(keys[0]![5]!)).toBe(6);
    expect(tables.asked).toBeGreaterThan(asked);
    expect(tables.numberOf('public_keys', keys[0]![5]!)).toBe(6);
  });
});
