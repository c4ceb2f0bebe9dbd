import { isPublicKey, parseMoment, PUBLIC_KEY } from '@roundhouse/chain';
import { z } from 'zod';
import { ALLOWED_ORDERS, readOrder } from './delegate-order.js';
import { IN_QUERY, InvalidRequestError, parameter } from './query-dto.js';

// The types of parameters. Each is required unless `.optional()` or `.prefault(text)` follows.

/** The text of a parameter that is given once. */
const one = z.string({
  error: ({ input }) => (input === undefined ? 'is required.' : 'is given more than once.'),
});

/** A parameter of whose text `read` makes something; it returns null for all texts that are wrong. */
export const readAs = <T>(
  read: (text: string) => T | null,
  otherwise: string,
  schema?: Parameters<typeof parameter>[1],
) =>
  parameter(
    one.transform((text, context) => {
      const value = read(text);
      if (value === null) context.addIssue(otherwise);
      return value as T;
    }),
    schema,
  );

export const anyText = parameter(one);

/** Text of at least one character, counted in code points, and by default no longer than a username. */
export const shortText = (description: string, longest = 20) => {
  const read = one.regex(new RegExp(`^.{1,${longest}}$`, 'su'), `must have 1 to ${longest} characters.`);
  return parameter(read, { type: 'string', minLength: 1, maxLength: longest })(description);
};

/** The value of `name` in the path comes first, those in the query follow. */
const fromPath = (place: 'path' | 'path or query', choose: (given: readonly unknown[]) => unknown) =>
  parameter(
    z.preprocess((given) => (Array.isArray(given) ? choose(given) : given), one),
    { type: 'string' },
    place,
  );

/** A segment of the path. Any text: what cannot be found does not exist. */
export const segment = fromPath('path', ([first]) => first);

/** The same, if it may be a username. Clients take `.` and `..` in a path for folders, so the query may have it instead. */
export const nameSegment = fromPath('path or query', (given) =>
  given[0] === IN_QUERY && given.length === 2 ? given[1] : given,
);

/** A JavaScript number represents every integer of this length exactly. */
const MOST_DIGITS = 15;

export const digits = one
  .regex(/^\d+$/, 'must be a whole number in decimal digits.')
  .max(MOST_DIGITS, `must have at most ${MOST_DIGITS} digits.`)
  .transform(Number);

export const wholeNumber = parameter(digits, { type: 'integer', minimum: 0 });

const atMost = (largest: number): string => `must be at most ${largest}.`;

/** Throws `InvalidRequestError` if the limit is too large. */
export const assertLimit = (limit: number, largest: number): void => {
  if (limit > largest) throw new InvalidRequestError(`The parameter "limit" ${atMost(largest)}`);
};

/** @param largest absent if there is none, or if it depends on the network */
export const limit = (description: string, largest = Infinity) => {
  const read = digits.pipe(z.number().min(1, 'must be at least 1.').max(largest, atMost(largest)));
  const maximum = largest < Infinity && { maximum: largest };
  return parameter(read, { type: 'integer', minimum: 1, ...maximum })(description);
};

export const offset = () => wholeNumber('How many results to skip.').prefault('0');

/** A height of at least 1. It may be above every head. */
export const height = parameter(
  digits.pipe(z.number().min(1, 'must be at least 1, the height of the genesis block.')),
  { type: 'integer', minimum: 1 },
);

export const moment = readAs(
  parseMoment,
  'must be a height, a date such as 2026-01-31, or a time such as 2026-01-31T12:00:00Z.',
);

const PERCENT_DECIMALS = 6;

/** From 0 to 100, as millionths of a percent in decimal text. */
export const percent = readAs(
  (text) => {
    const [, whole = '', decimals = ''] = /^(\d{1,3})(?:\.(\d{1,6}))?$/.exec(text) ?? [];
    const millionths = Number(whole + decimals.padEnd(PERCENT_DECIMALS, '0'));
    return whole !== '' && millionths <= 100 * 10 ** PERCENT_DECIMALS ? String(millionths) : null;
  },
  `must be a percentage from 0 to 100 with at most ${PERCENT_DECIMALS} decimals, such as 92.5.`,
  { type: 'string', pattern: '^\\d{1,3}(\\.\\d{1,6})?$' },
);

/** One of several words; the first is the default. */
export const choice = <const Word extends string>(description: string, first: Word, ...others: Word[]) => {
  const words = [first, ...others];
  const read = one.pipe(z.enum(words, `must be one of ${words.join(', ')}.`));
  return parameter(read, { type: 'string', enum: words })(description).prefault(first);
};

export const LARGEST_AMOUNT = 2n ** 63n - 1n;

/** An amount, as decimal text. */
export const amountText = readAs(
  (text) => (/^\d{1,19}$/.test(text) && BigInt(text) <= LARGEST_AMOUNT ? String(BigInt(text)) : null),
  `must be a whole number in decimal digits, of at most ${LARGEST_AMOUNT}.`,
  { type: 'integer', format: 'int64', minimum: 0 },
);

/** Base58, and longer than any username. The index knows which addresses there are. */
const ADDRESS = /^[0-9A-Za-z]{25,36}$/;

export const isAddress = (text: string): boolean => ADDRESS.test(text);

export const publicKey = parameter(
  one
    .regex(PUBLIC_KEY, 'must be a public key: 66 hexadecimal characters beginning with 02 or 03.')
    .toLowerCase(),
  { type: 'string', pattern: '^0[23][0-9a-fA-F]{64}$' },
);

/** An address or a public key. */
export const account = readAs(
  (text) => (isPublicKey(text) ? text.toLowerCase() : isAddress(text) ? text : null),
  'must be an address of 25 to 36 letters and digits, or a public key of 66 hexadecimal characters.',
);

/** Addresses in order, each once, so that one list is one answer. */
export const addresses = readAs<readonly string[]>((text) => {
  const given = [...new Set(text.split(','))].sort();
  return given.length <= 100 && given.every(isAddress) ? given : null;
}, 'must be at most 100 addresses of 25 to 36 letters and digits, separated by commas.');

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

export const blockChoice = readAs(
  parseBlockChoice,
  'must be a height, or a block id: up to 20 digits with a value below 2^64, or 64 hexadecimal characters.',
);

/** Both forms of block ids. The service that answers knows whether the chain has the long form. */
export const blockId = readAs(
  readBlockId,
  'must be a block id: 1 to 20 digits with a value below 2^64, or 64 hexadecimal characters on chains that have such ids.',
  { type: 'string', pattern: '^([0-9]{1,20}|[0-9a-fA-F]{64})$' },
);

const orderOfDelegates = readAs(readOrder, `must be one of ${ALLOWED_ORDERS}.`);

export const delegateOrder = () =>
  orderOfDelegates(
    `The column to sort by: one of ${ALLOWED_ORDERS}. The default is rank; the default direction is ascending.`,
  ).prefault('rank');
