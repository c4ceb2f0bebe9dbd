import { crc32 } from 'node:zlib';
import { z } from 'zod';
import { digits, LARGEST_AMOUNT, readAs } from './parameters.js';

const CHECKSUM_BYTES = 4;
const MOST_CHARACTERS = 300;

const seal = (contents: string): string => {
  const bytes = Buffer.from(contents);
  const checksum = Buffer.alloc(CHECKSUM_BYTES);
  checksum.writeUInt32BE(crc32(bytes));
  return Buffer.concat([checksum, bytes]).toString('base64url');
};

/** Null if a character of the cursor is not as it was sent. */
const unseal = (cursor: string): string | null => {
  if (cursor.length > MOST_CHARACTERS) return null;
  const contents = Buffer.from(cursor, 'base64url').subarray(CHECKSUM_BYTES).toString();
  return seal(contents) === cursor ? contents : null;
};

/** What writes the place at which a page of a list ended, and the parameter that reads it. */
const cursor = <S extends z.ZodRawShape>(kind: string, shape: S) => {
  const place = z.object(shape);
  const names = Object.keys(shape);
  const write = (ended: Readonly<z.output<typeof place>>): string =>
    seal([kind, ...names.map((name) => ended[name as keyof typeof ended])].join(':'));
  const parameter = readAs((text) => {
    const [given, ...values] = unseal(text)?.split(':') ?? [];
    if (given !== kind || values.length !== names.length) return null;
    return (
      place.safeParse(Object.fromEntries(names.map((name, index) => [name, values[index]]))).data ?? null
    );
  }, 'is damaged, or of another list: send nextCursor of the page before, unchanged.');
  const optional = () => parameter('`nextCursor` of the page before. Absent for the first page.').optional();
  return [write, optional] as const;
};

const int = digits.pipe(z.int32());

const blockId = z.string().regex(/^[\da-f]{1,64}$/);

/** Arktoshi, as decimal text. */
const amount = z
  .string()
  .refine((text) => /^-?\d{1,19}$/.test(text) && BigInt(text.replace('-', '')) <= LARGEST_AMOUNT);

/** The place in the list of all transactions, and the id of the block there. */
export const [writeTransactionCursor, transactionCursor] = cursor('t', {
  height: int,
  sequence: int,
  blockId,
});

/** The place in the list of accounts: `number` is the account's. */
export const [writeAccountCursor, accountCursor] = cursor('a', { balance: amount, number: int });

/** The last block of a page of blocks. */
export const [writeBlockCursor, blockCursor] = cursor('b', { height: int, blockId });

/** The place in the list of days, and the block before it. */
export const [writeDayCursor, dayCursor] = cursor('d', { day: int, height: int, blockId });

/** The place in the list of an account's changes, and the id of the block there. */
export const [writeAccountChangeCursor, accountChangeCursor] = cursor('c', { height: int, blockId });
