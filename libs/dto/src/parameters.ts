import { z } from 'zod';
import { readAccountChangeCursor, readAccountCursor, readTransactionCursor, unseal } from './cursor.js';
import { ALLOWED_ORDERS, readOrder } from './delegate-order.js';
import { InvalidRequestError } from './invalid-request.error.js';
import { IN_QUERY, parameter } from './query-dto.js';

// The types of parameters. Each is required unless `.optional()` or `.prefault(text)` follows.

/** The text of a parameter that is given once. */
const one = z.string({
  error: ({ input }) => (input === undefined ? 'is required.' : 'is given more than once.'),
});

/** A text of which `read` makes something; it returns null for all others. */
const readable = <T>(read: (text: string) => T | null, otherwise: string) =>
  one.transform((text, context) => {
    const value = read(text);
    if (value === null) context.addIssue(otherwise);
    return value as T;
  });

/** Any text. */
export const anyText = (description: string) => parameter(one, description);

/** The longest username. */
const MOST_CHARACTERS = 20;

/** Text of at least one character, counted in code points. */
export const shortText = (description: string, longest = MOST_CHARACTERS) =>
  parameter(
    one.regex(new RegExp(`^.{1,${longest}}$`, 'su'), `must have 1 to ${longest} characters.`),
    description,
    { type: 'string', minLength: 1, maxLength: longest },
  );

/** A segment of the path. Any text: what cannot be found does not exist. */
export const segment = (description: string) =>
  parameter(
    z.preprocess((given: unknown) => (Array.isArray(given) ? (given[0] as unknown) : given), one),
    description,
    { type: 'string' },
    'path',
  );

/** The same, if it may be a username. Clients take `.` and `..` in a path for folders, so the query may have it instead. */
export const nameSegment = (description: string) =>
  parameter(
    z.preprocess((given: unknown) => {
      if (!Array.isArray(given) || given[0] !== IN_QUERY) return given;
      return given.length > 2 ? given : (given[1] as unknown);
    }, one),
    description,
    { type: 'string' },
    'path or query',
  );

/** A JavaScript number represents every integer of this length exactly. */
const MOST_DIGITS = 15;

const digits = one
  .regex(/^\d+$/, 'must be a whole number in decimal digits.')
  .max(MOST_DIGITS, `must have at most ${MOST_DIGITS} digits.`)
  .transform(Number);

export const wholeNumber = (description: string) =>
  parameter(digits, description, { type: 'integer', minimum: 0 });

const atMost = (largest: number): string => `must be at most ${largest}.`;

/** Throws `InvalidRequestError` if the limit is too large. */
export const assertLimit = (limit: number, largest: number): void => {
  if (limit > largest) throw new InvalidRequestError(`The parameter "limit" ${atMost(largest)}`);
};

/** @param largest absent if there is none, or if it depends on the network */
export const limit = (description: string, largest = Infinity) =>
  parameter(
    digits.pipe(z.number().min(1, 'must be at least 1.').max(largest, atMost(largest))),
    description,
    { type: 'integer', minimum: 1, ...(largest < Infinity ? { maximum: largest } : {}) },
  );

export const offset = () => wholeNumber('How many results to skip.').prefault('0');

/** A height of at least 1. It may be above every head. */
export const height = (description: string) =>
  parameter(
    digits.pipe(z.number().min(1, 'must be at least 1, the height of the genesis block.')),
    description,
    { type: 'integer', minimum: 1 },
  );

const PERCENT_DECIMALS = 6;

/** From 0 to 100, as millionths of a percent in decimal text. */
export const percent = (description: string) =>
  parameter(
    readable((text) => {
      const [, whole = '', decimals = ''] = /^(\d{1,3})(?:\.(\d{1,6}))?$/.exec(text) ?? [];
      const millionths = Number(whole + decimals.padEnd(PERCENT_DECIMALS, '0'));
      return whole !== '' && millionths <= 100 * 10 ** PERCENT_DECIMALS ? String(millionths) : null;
    }, `must be a percentage from 0 to 100 with at most ${PERCENT_DECIMALS} decimals, such as 92.5.`),
    description,
    { type: 'string', pattern: '^\\d{1,3}(\\.\\d{1,6})?$' },
  );

/** One of several words; the first is the default. */
export const choice = <const Word extends string>(description: string, first: Word, ...others: Word[]) => {
  const words = [first, ...others];
  const read = one.pipe(z.enum(words, `must be one of ${words.join(', ')}.`));
  return parameter(read, description, { type: 'string', enum: words }).prefault(first);
};

const LARGEST_AMOUNT = 2n ** 63n - 1n;

/** An amount, as decimal text. */
export const amountText = (description: string) =>
  parameter(
    readable(
      (text) => (/^\d{1,19}$/.test(text) && BigInt(text) <= LARGEST_AMOUNT ? String(BigInt(text)) : null),
      `must be a whole number in decimal digits, of at most ${LARGEST_AMOUNT}.`,
    ),
    description,
    { type: 'integer', format: 'int64', minimum: 0 },
  );

const PUBLIC_KEY = /^0[23][0-9a-f]{64}$/i;

/** Base58, and longer than any username. The index knows which addresses there are. */
const ADDRESS = /^[0-9A-Za-z]{25,36}$/;

export const isPublicKey = (text: string): boolean => PUBLIC_KEY.test(text);

export const isAddress = (text: string): boolean => ADDRESS.test(text);

export const publicKey = (description: string) =>
  parameter(
    one
      .regex(PUBLIC_KEY, 'must be a public key: 66 hexadecimal characters beginning with 02 or 03.')
      .toLowerCase(),
    description,
    { type: 'string', pattern: '^0[23][0-9a-fA-F]{64}$' },
  );

/** An address or a public key. */
export const account = (description: string) =>
  parameter(
    readable(
      (text) => (isPublicKey(text) ? text.toLowerCase() : isAddress(text) ? text : null),
      'must be an address of 25 to 36 letters and digits, or a public key of 66 hexadecimal characters.',
    ),
    description,
  );

/** Addresses in order, each once, so that one list is one answer. */
export const addresses = (description: string, most: number) =>
  parameter(
    readable<readonly string[]>((text) => {
      const given = [...new Set(text.split(','))].sort();
      return given.length <= most && given.every(isAddress) ? given : null;
    }, `must be at most ${most} addresses of 25 to 36 letters and digits, separated by commas.`),
    description,
  );

const TOO_LARGE_ID = 2n ** 64n;
const LARGEST_HEIGHT = 2 ** 31 - 1;

const readBlockId = (text: string): string | null => {
  if (/^[0-9a-f]{64}$/i.test(text)) return text.toLowerCase();
  return /^\d{1,20}$/.test(text) && BigInt(text) < TOO_LARGE_ID ? text : null;
};

/** A block by its id or by its height. */
export type BlockChoice = { readonly id: string } | { readonly height: number };

/** Null if the text is neither an id nor a height. A number that can be a height is one. */
export const parseBlockChoice = (text: string): BlockChoice | null => {
  const id = readBlockId(text);
  if (id === null) return null;
  return id.length <= 20 && BigInt(id) <= LARGEST_HEIGHT ? { height: Number(id) } : { id };
};

export const blockChoice = (description: string) =>
  parameter(
    readable(
      parseBlockChoice,
      'must be a height, or a block id: up to 20 digits with a value below 2^64, or 64 hexadecimal characters.',
    ),
    description,
  );

/** Both forms of block ids. The service that answers knows whether the chain has the long form. */
export const blockId = (description: string) =>
  parameter(
    readable(
      readBlockId,
      'must be a block id: 1 to 20 digits with a value below 2^64, or 64 hexadecimal characters on chains that have such ids.',
    ),
    description,
    { type: 'string', pattern: '^([0-9]{1,20}|[0-9a-fA-F]{64})$' },
  );

export const delegateOrder = () =>
  parameter(
    readable(readOrder, `must be one of ${ALLOWED_ORDERS}.`),
    `The column to sort by: one of ${ALLOWED_ORDERS}. The default is rank; the default direction is ascending.`,
  ).prefault('rank');

const cursor = <T>(read: (contents: string) => T | null) =>
  parameter(
    readable((text) => {
      const contents = unseal(text);
      return contents === null ? null : read(contents);
    }, 'is damaged, or of another list: send nextCursor of the page before, unchanged.'),
    '`nextCursor` of the page before. Absent for the first page.',
  ).optional();

export const transactionCursor = () => cursor(readTransactionCursor);
export const accountCursor = () => cursor(readAccountCursor);
export const accountChangeCursor = () => cursor(readAccountChangeCursor);
