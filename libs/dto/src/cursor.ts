import { crc32 } from 'node:zlib';

/** The place in the list of all transactions at which a page ended, and the id of the block there. */
export interface TransactionCursor {
  readonly height: number;
  readonly sequence: number;
  readonly blockId: string;
}

/** The place in the list of accounts. */
export interface AccountCursor {
  /** Arktoshi, as decimal text. */
  readonly balance: string;
  /** The account's number. */
  readonly number: number;
}

/** The place in the list of an account's changes, and the id of the block there. */
export interface AccountChangeCursor {
  readonly height: number;
  readonly blockId: string;
}

const CHECKSUM_BYTES = 4;
const MOST_CHARACTERS = 300;
const LARGEST_INTEGER = 2 ** 31 - 1;
const LARGEST_AMOUNT = 2n ** 63n - 1n;

const seal = (contents: string): string => {
  const bytes = Buffer.from(contents);
  const checksum = Buffer.alloc(CHECKSUM_BYTES);
  checksum.writeUInt32BE(crc32(bytes));
  return Buffer.concat([checksum, bytes]).toString('base64url');
};

/** Null if a character of the cursor is not as it was sent. */
export const unseal = (cursor: string): string | null => {
  if (cursor.length > MOST_CHARACTERS) return null;
  const contents = Buffer.from(cursor, 'base64url').subarray(CHECKSUM_BYTES).toString();
  return seal(contents) === cursor ? contents : null;
};

export const writeTransactionCursor = ({ height, sequence, blockId }: TransactionCursor): string =>
  seal(`t:${height}:${sequence}:${blockId}`);

export const writeAccountCursor = ({ balance, number }: AccountCursor): string =>
  seal(`a:${balance}:${number}`);

export const writeAccountChangeCursor = ({ height, blockId }: AccountChangeCursor): string =>
  seal(`c:${height}:${blockId}`);

export const readTransactionCursor = (contents: string): TransactionCursor | null => {
  const [, height, sequence, blockId] = /^t:(\d{1,10}):(\d{1,10}):([\da-f]{1,64})$/.exec(contents) ?? [];
  const cursor = { height: Number(height), sequence: Number(sequence), blockId: blockId! };
  return cursor.height <= LARGEST_INTEGER && cursor.sequence <= LARGEST_INTEGER ? cursor : null;
};

export const readAccountCursor = (contents: string): AccountCursor | null => {
  const [, balance, number] = /^a:(-?\d{1,19}):(\d{1,10})$/.exec(contents) ?? [];
  if (balance === undefined || Number(number) > LARGEST_INTEGER) return null;
  const amount = BigInt(balance);
  return amount <= LARGEST_AMOUNT && amount >= -LARGEST_AMOUNT ? { balance, number: Number(number) } : null;
};

export const readAccountChangeCursor = (contents: string): AccountChangeCursor | null => {
  const [, height, blockId] = /^c:(\d{1,10}):([\da-f]{1,64})$/.exec(contents) ?? [];
  return Number(height) <= LARGEST_INTEGER ? { height: Number(height), blockId: blockId! } : null;
};
