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
      if (/^0[23][0-9a-f]{64}$/i.test(text)) return text.toLowerCase();
      throw new InvalidRequestError(
        `The parameter "${name}" must be a public key: 66 hexadecimal characters beginning with 02 or 03.`,
      );
    },
  });

const MOST_CHARACTERS = 20;

/** Text of 1 to 20 characters, counted in code points. */
export const ShortTextParameter = (description: string, presence: Presence = {}): PropertyDecorator =>
  parameter({
    ...presence,
    description,
    schema: { type: 'string', minLength: 1, maxLength: MOST_CHARACTERS },
    parse: (text, name) => {
      const { length } = [...text];
      if (length >= 1 && length <= MOST_CHARACTERS) return text;
      throw new InvalidRequestError(`The parameter "${name}" must have 1 to ${MOST_CHARACTERS} characters.`);
    },
  });

const TOO_LARGE_ID = 2n ** 64n;

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
