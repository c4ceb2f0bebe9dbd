import { InvalidRequestError } from './invalid-request.error.js';
import { parameter } from './parameters.js';

/** A JavaScript number represents every integer of this length exactly. */
const MOST_DIGITS = 15;

const parseInteger = (text: string, name: string): number => {
  if (!/^\d+$/.test(text)) {
    throw new InvalidRequestError(`The parameter "${name}" must be a whole number in decimal digits.`);
  }
  if (text.length > MOST_DIGITS) {
    throw new InvalidRequestError(`The parameter "${name}" must have at most ${MOST_DIGITS} digits.`);
  }
  return Number(text);
};

/** Throws `InvalidRequestError` if the limit is too large. */
export const assertLimit = (limit: number, largest: number): void => {
  if (limit > largest) throw new InvalidRequestError(`The parameter "limit" must be at most ${largest}.`);
};

interface LimitOptions {
  readonly default?: string;
  /** Absent if there is none, or if it depends on the network. */
  readonly largest?: number;
}

export const LimitParameter = (description: string, options: LimitOptions = {}): PropertyDecorator =>
  parameter({
    description,
    default: options.default,
    schema: { type: 'integer', minimum: 1, ...(options.largest ? { maximum: options.largest } : {}) },
    parse: (text, name) => {
      const limit = parseInteger(text, name);
      if (limit < 1) throw new InvalidRequestError(`The parameter "${name}" must be at least 1.`);
      if (options.largest !== undefined) assertLimit(limit, options.largest);
      return limit;
    },
  });

export const OffsetParameter = (): PropertyDecorator =>
  parameter({
    description: 'How many results to skip.',
    default: '0',
    schema: { type: 'integer', minimum: 0 },
    parse: parseInteger,
  });

interface Presence {
  readonly isRequired?: boolean;
}

export const PublicKeyParameter = (description: string, presence: Presence = {}): PropertyDecorator =>
  parameter({
    ...presence,
    description,
    schema: { type: 'string', pattern: '^0[23][0-9a-fA-F]{64}$' },
    parse: (text, name) => {
      if (isPublicKey(text)) return text.toLowerCase();
      throw new InvalidRequestError(
        `The parameter "${name}" must be a public key: 66 hexadecimal characters beginning with 02 or 03.`,
      );
    },
  });

const MOST_CHARACTERS = 20;

interface ShortTextOptions extends Presence {
  /** (Default: 20, the length of the longest username) */
  readonly longest?: number;
}

/** Text of at least one character, counted in code points. */
export const ShortTextParameter = (
  description: string,
  { longest = MOST_CHARACTERS, ...presence }: ShortTextOptions = {},
): PropertyDecorator =>
  parameter({
    ...presence,
    description,
    schema: { type: 'string', minLength: 1, maxLength: longest },
    parse: (text, name) => {
      const { length } = [...text];
      if (length >= 1 && length <= longest) return text;
      throw new InvalidRequestError(`The parameter "${name}" must have 1 to ${longest} characters.`);
    },
  });

/** Any text: what cannot be found does not exist. */
export const PathParameter = (description: string): PropertyDecorator =>
  parameter({
    isInPath: true,
    isRequired: true,
    description,
    schema: { type: 'string' },
    parse: (text) => text,
  });

/** The same, if it may be a username. Clients take `.` and `..` in a path for folders, so the query may have it instead. */
export const NamePathParameter = (description: string): PropertyDecorator =>
  parameter({
    isInPath: true,
    mayBeInQuery: true,
    isRequired: true,
    description,
    schema: { type: 'string' },
    parse: (text) => text,
  });

export const IntegerParameter = (description: string): PropertyDecorator =>
  parameter({ description, schema: { type: 'integer', minimum: 0 }, parse: parseInteger });

/** A height of at least 1. It may be above every head. */
export const HeightParameter = (description: string): PropertyDecorator =>
  parameter({
    isRequired: true,
    description,
    schema: { type: 'integer', minimum: 1 },
    parse: (text, name) => {
      const height = parseInteger(text, name);
      if (height >= 1) return height;
      throw new InvalidRequestError(
        `The parameter "${name}" must be at least 1, the height of the genesis block.`,
      );
    },
  });

const PERCENT_DECIMALS = 6;

/** From 0 to 100, as millionths of a percent in decimal text. */
export const PercentParameter = (
  description: string,
  options: { readonly default: string },
): PropertyDecorator =>
  parameter({
    ...options,
    description,
    schema: { type: 'string', pattern: '^\\d{1,3}(\\.\\d{1,6})?$' },
    parse: (text, name) => {
      const [, whole = '', decimals = ''] = /^(\d{1,3})(?:\.(\d{1,6}))?$/.exec(text) ?? [];
      const millionths = Number(whole + decimals.padEnd(PERCENT_DECIMALS, '0'));
      if (whole !== '' && millionths <= 100 * 10 ** PERCENT_DECIMALS) return String(millionths);
      throw new InvalidRequestError(
        `The parameter "${name}" must be a percentage from 0 to 100 with at most ${PERCENT_DECIMALS} decimals, such as 92.5.`,
      );
    },
  });

/** One of several words; the first is the default. */
export const ChoiceParameter = (
  description: string,
  choices: readonly [string, ...string[]],
): PropertyDecorator =>
  parameter({
    description,
    default: choices[0],
    schema: { type: 'string', enum: choices },
    parse: (text, name) => {
      if (choices.includes(text)) return text;
      throw new InvalidRequestError(`The parameter "${name}" must be one of ${choices.join(', ')}.`);
    },
  });

const LARGEST_AMOUNT = 2n ** 63n - 1n;

/** An amount, as decimal text. */
export const AmountParameter = (description: string): PropertyDecorator =>
  parameter({
    description,
    schema: { type: 'integer', format: 'int64', minimum: 0 },
    parse: (text, name) => {
      if (/^\d{1,19}$/.test(text) && BigInt(text) <= LARGEST_AMOUNT) return String(BigInt(text));
      throw new InvalidRequestError(
        `The parameter "${name}" must be a whole number in decimal digits, of at most ${LARGEST_AMOUNT}.`,
      );
    },
  });

const PUBLIC_KEY = /^0[23][0-9a-f]{64}$/i;
/** Base58, and longer than any username. The index knows which addresses there are. */
const ADDRESS = /^[0-9A-Za-z]{25,36}$/;

export const isPublicKey = (text: string): boolean => PUBLIC_KEY.test(text);

export const isAddress = (text: string): boolean => ADDRESS.test(text);

/** An address or a public key. */
export const AccountParameter = (description: string): PropertyDecorator =>
  parameter({
    description,
    schema: { type: 'string' },
    parse: (text, name) => {
      if (isPublicKey(text)) return text.toLowerCase();
      if (isAddress(text)) return text;
      throw new InvalidRequestError(
        `The parameter "${name}" must be an address of 25 to 36 letters and digits, or a public key of 66 hexadecimal characters.`,
      );
    },
  });

/** Addresses in order, each once, so that one list is one answer. */
export const AddressesParameter = (
  description: string,
  { most }: { readonly most: number },
): PropertyDecorator =>
  parameter({
    description,
    schema: { type: 'string' },
    parse: (text, name) => {
      const addresses = [...new Set(text.split(','))].sort();
      if (addresses.length <= most && addresses.every(isAddress)) return addresses;
      throw new InvalidRequestError(
        `The parameter "${name}" must be at most ${most} addresses of 25 to 36 letters and digits, separated by commas.`,
      );
    },
  });

const TOO_LARGE_ID = 2n ** 64n;
const LARGEST_HEIGHT = 2 ** 31 - 1;

/** A block by its id or by its height. */
export type BlockChoice = { readonly id: string } | { readonly height: number };

/** Null if the text is neither an id nor a height. A number that can be a height is one. */
export const parseBlockChoice = (text: string): BlockChoice | null => {
  if (/^[0-9a-f]{64}$/i.test(text)) return { id: text.toLowerCase() };
  if (!/^\d{1,20}$/.test(text)) return null;
  const number = BigInt(text);
  if (number <= LARGEST_HEIGHT) return { height: Number(number) };
  return number < TOO_LARGE_ID ? { id: text } : null;
};

export const BlockParameter = (description: string): PropertyDecorator =>
  parameter({
    description,
    schema: { type: 'string' },
    parse: (text, name) => {
      const choice = parseBlockChoice(text);
      if (choice) return choice;
      throw new InvalidRequestError(
        `The parameter "${name}" must be a height, or a block id: up to 20 digits with a value below 2^64, or 64 hexadecimal characters.`,
      );
    },
  });

/** Both forms of block ids. The service that answers knows whether the chain has the long form. */
export const BlockIdParameter = (description: string): PropertyDecorator =>
  parameter({
    isRequired: true,
    description,
    schema: { type: 'string', pattern: '^([0-9]{1,20}|[0-9a-fA-F]{64})$' },
    parse: (text, name) => {
      if (/^[0-9a-f]{64}$/i.test(text)) return text.toLowerCase();
      if (/^\d{1,20}$/.test(text) && BigInt(text) < TOO_LARGE_ID) return text;
      throw new InvalidRequestError(
        `The parameter "${name}" must be a block id: 1 to 20 digits with a value below 2^64, or 64 hexadecimal characters on chains that have such ids.`,
      );
    },
  });
