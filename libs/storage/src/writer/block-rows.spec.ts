import type { Block, Transaction } from '@roundhouse/chain';
import { aTransaction, randomChain } from '@roundhouse/testing';
import { MentionNumbers } from './block-rows.js';
import type { CopyRows } from './copy.js';

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

  write([keys]: readonly CopyRows[]): void {
    for (const line of Buffer.concat(keys!.chunks).toString().trimEnd().split('\n')) {
      const [number, , value] = line.split('\t');
      this.numbers.set(value!.replace('\\\\x', ''), Number(number));
    }
  }
}

/** The lines of a table's rows, and the values of one column. */
const linesOf = (copies: readonly CopyRows[], table: string): string[] =>
  Buffer.concat(copies.find((each) => each.table === table)!.chunks)
    .toString()
    .split('\n')
    .slice(0, -1);

const valuesOf = (copies: readonly CopyRows[], table: string, column: string): string[] => {
  const { columns } = copies.find((each) => each.table === table)!;
  return linesOf(copies, table).map((line) => line.split('\t')[columns.indexOf(column)]!);
};

const [anyBlock] = randomChain({ seed: 1, blocks: 1 }).blocks;

const aBlock = (
  height: number,
  generatorPublicKey: string,
  transactions: readonly Transaction[] = [],
): Block => ({
  ...anyBlock!,
  height,
  generatorPublicKey,
  transactions,
});

/** A block without transactions for each key. */
const blocksOf = (keys: readonly string[], height: number): Block[] => keys.map((key) => aBlock(height, key));

const transaction = (
  senderPublicKey: string,
  recipientId: string | null,
  ...paid: readonly string[]
): Transaction =>
  aTransaction({
    senderPublicKey,
    recipientId,
    asset: paid.length === 0 ? null : { payments: paid.map((each) => ({ recipientId: each, amount: 1n })) },
  });

describe('the numbers of keys and addresses', () => {
  // In random chains, the key of each forger was mentioned before it forged.
  it('follow the order in which blocks mention them, a block before its transactions', async () => {
    const transactions = [
      transaction('b', 'X'),
      transaction('a', null, 'Y', 'X', 'Y'),
      transaction('c', 'Z'),
    ];
    const blocks = [aBlock(7, 'a', transactions), aBlock(8, 'd', [transaction('e', 'X')])];
    const copies = await new MentionNumbers(new PublicKeys().read).rowsOf(blocks);
    expect(valuesOf(copies, 'blocks', 'generator')).toEqual(['1', '4']);
    expect(valuesOf(copies, 'transactions', 'sender')).toEqual(['2', '1', '3', '5']);
    expect(valuesOf(copies, 'transactions', 'recipient')).toEqual(['1', '\\N', '3', '1']);
    expect(linesOf(copies, 'public_keys')).toEqual([
      '1\t7\t\\\\xa',
      '2\t7\t\\\\xb',
      '3\t7\t\\\\xc',
      '4\t8\t\\\\xd',
      '5\t8\t\\\\xe',
    ]);
    expect(linesOf(copies, 'addresses')).toEqual(['1\t7\tX', '2\t7\tY', '3\t7\tZ']);
    expect(linesOf(copies, 'payments')).toEqual(['2\t7\t1', '1\t7\t1']);
  });

  it('are read again when memory no longer has them, and stay in memory until they are committed', async () => {
    const tables = new PublicKeys();
    const numbers = new MentionNumbers(tables.read);
    const keys = Array.from({ length: 4 }, (_, part) =>
      Array.from({ length: 60_000 }, (__, place) => (part * 60_000 + place).toString(16).padStart(8, '0')),
    );
    for (const [part, values] of keys.entries()) tables.write(await numbers.rowsOf(blocksOf(values, part)));
    const again = async (value: string): Promise<string> => {
      const copies = await numbers.rowsOf(blocksOf([value], 9));
      expect(linesOf(copies, 'public_keys')).toEqual([]);
      return valuesOf(copies, 'blocks', 'generator')[0]!;
    };
    const { asked } = tables;
    expect(await again(keys[0]![5]!)).toBe('6');
    expect(tables.asked).toBe(asked);
    numbers.mark()();
    for (const values of keys) await numbers.rowsOf(blocksOf(values, 9));
    expect(await again(keys[0]![5]!)).toBe('6');
    expect(tables.asked).toBeGreaterThan(asked);
  });
});
