import { Readable } from 'node:stream';
import { z } from 'zod';
import { MAX_LIMIT } from '../query.js';
import type { Misbehaviour } from './misbehaviour.js';

export const endlessPagesOrder = z.strictObject({ kind: z.literal('endless-pages') });
export const endlessBodyOrder = z.strictObject({ kind: z.literal('endless-body') });

/** Repeats `values` until the list has this length. */
const repeated = (values: readonly unknown[], count: number): unknown[] =>
  Array.from({ length: count }, (_, index) => values[index % values.length]);

/** Answers every page request with a full page of the same items, like a cache that ignores `page`. */
export const endlessPages = (): Misbehaviour => ({
  onRequest: ({ query }) => void delete (query as { page?: string }).page,
  onText: (text, reply) => {
    const { data, ...rest } = JSON.parse(text) as { readonly data?: unknown };
    if (!Array.isArray(data) || data.length === 0) return text;
    const limit = Number((reply.request.query as { readonly limit?: string }).limit ?? MAX_LIMIT);
    return JSON.stringify({ ...rest, data: repeated(data, limit) });
  },
});

const PADDING = ' '.repeat(65_536);

/** Sends blanks before the last character of an answer until the client leaves or the node recovers. */
export const endlessBody = (): Misbehaviour => {
  let isOver = false;
  async function* endless(text: string): AsyncGenerator<string> {
    yield text.slice(0, -1);
    while (!isOver) {
      yield PADDING;
      // Let other requests run.
      await new Promise(setImmediate);
    }
    yield text.slice(-1);
  }
  return {
    onText: (text, reply) => {
      void reply.removeHeader('content-length');
      return Readable.from(endless(text), { objectMode: false });
    },
    end: () => (isOver = true),
  };
};
