import { parseLosslessJson } from '@roundhouse/chain';

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

const parseBody = (text: string): Fields | null => {
  try {
    const body = parseLosslessJson(text);
    return typeof body === 'object' && !Array.isArray(body) ? (body as Fields | null) : null;
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
