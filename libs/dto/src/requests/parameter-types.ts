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

export const IntegerParameter = (description: string): PropertyDecorator =>
  parameter({ description, schema: { type: 'integer', minimum: 0 }, parse: parseInteger });

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
