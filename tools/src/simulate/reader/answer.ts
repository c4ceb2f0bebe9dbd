import { parse } from 'lossless-json';

export type Fields = Readonly<Record<string, unknown>>;

/** One parsed answer of the api. */
export interface Answer {
  /** Path and query. */
  readonly url: string;
  readonly status: number;
  /** `X-Chain-Height`. */
  readonly chainHeight: number | null;
  /** `X-Indexed-At`; together with the height it identifies the head. */
  readonly indexedAt: string | null;
  readonly retryAfter: string | null;
  readonly text: string;
  /** Null if it is not a JSON object. Integers past 2^53 are bigint. */
  readonly body: Fields | null;
}

const toNumber = (digits: string): number | bigint => {
  const number = Number(digits);
  return Number.isSafeInteger(number) || !/^-?\d+$/.test(digits) ? number : BigInt(digits);
};

const isObject = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const parseBody = (text: string): Fields | null => {
  try {
    const body = parse(text, undefined, toNumber);
    return isObject(body) ? body : null;
  } catch {
    return null;
  }
};

export const readAnswer = (url: string, status: number, headers: Headers, text: string): Answer => {
  const height = headers.get('x-chain-height');
  return {
    url,
    status,
    chainHeight: height === null ? null : Number(height),
    indexedAt: headers.get('x-indexed-at'),
    retryAfter: headers.get('retry-after'),
    text,
    body: parseBody(text),
  };
};
