import { viewOf } from '@roundhouse/blocks';
import type { LedgerBlock, LedgerTransaction } from '@roundhouse/chain';
import type { EncodedRows } from './copy-binary.js';
import { EncodedBlocks } from './encoded-blocks.js';
import { MentionNumbers } from './numbers.js';

/** What a database has of the numbers of public keys. */
class PublicKeys {
  private readonly numbers = new Map<string, number>();
  /** How many values were asked for. */
  asked = 0;

  read = async <Row extends object>(sql: string, [values]: unknown[]): Promise<Row[]> => {
    const isAddresses = sql.includes('FROM addresses');
    if (values === undefined) return [{ last: isAddresses ? 0 : this.numbers.size }] as unknown as Row[];
    this.asked += (values as string[]).length;
    return (values as string[]).flatMap((text) => {
      const value = text.replace('\\x', '');
      const number = this.numbers.get(value);
      return number === undefined ? [] : [{ value, number } as unknown as Row];
    });
  };

  write([keys]: Awaited<ReturnType<MentionNumbers['fillIn']>>): void {
    for (const line of Buffer.concat(keys!.chunks).toString().trimEnd().split('\n')) {
      const [number, , value] = line.split('\t');
      this.numbers.set(value!.replace('\\\\x', ''), Number(number));
    }
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
  // In random chains, the key of each forger was mentioned before it forged.
  it('follow the order in which blocks mention them, a block before its transactions', async () => {
    const transactions = [
      transaction('b', 'X'),
      transaction('a', null, 'Y', 'X', 'Y'),
      transaction('c', 'Z'),
    ];
    const blocks = [
      { height: 7, generatorPublicKey: 'a', transactions },
      { height: 8, generatorPublicKey: 'd', transactions: [transaction('e', 'X')] },
    ] as unknown as LedgerBlock[];
    const encoded = new EncodedBlocks(blocks, rowsOf(2), rowsOf(7));
    const copies = await new MentionNumbers(new PublicKeys().read).fillIn(encoded);
    expect(numbersIn(encoded.blockRows)).toEqual([1, 4]);
    expect(numbersIn(encoded.transactionRows)).toEqual([2, 1, 1, 3, 3, 5, 1]);
    const texts = copies.map(({ table, chunks }) => [table, Buffer.concat(chunks).toString().split('\n')]);
    expect(Object.fromEntries(texts)).toEqual({
      public_keys: ['1\t7\t\\\\xa', '2\t7\t\\\\xb', '3\t7\t\\\\xc', '4\t8\t\\\\xd', '5\t8\t\\\\xe', ''],
      addresses: ['1\t7\tX', '2\t7\tY', '3\t7\tZ', ''],
      payments: ['2\t7\t1', '1\t7\t1', ''],
    });
  });

  it('are read again when memory no longer has them, and stay in memory until they are committed', async () => {
    const tables = new PublicKeys();
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
  });
});
