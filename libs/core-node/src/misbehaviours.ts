import { setTimeout as wait } from 'node:timers/promises';
import { z } from 'zod';
import { kind, rewritten, type Data, type Misbehaviour } from './misbehaviour.js';
import { LARGEST_PAGE } from './node-query.js';
import { refusalBody } from './node-refusal.js';
import type { NodeAnswer } from './node-server.js';

const MS = 1_000;

const nothing = z.strictObject({});

const failed = (status: number, retryAfter?: number): NodeAnswer => ({
  status,
  headers: retryAfter === undefined ? {} : { 'retry-after': String(retryAfter) },
  body: refusalBody(status),
});

const firstHalf = (text: string): string => text.slice(0, text.length >> 1);

async function* breakOff(text: string): AsyncGenerator<string> {
  yield firstHalf(text);
  throw new Error('cut off, as ordered');
}

/** There is never an answer. The connections close when the node recovers. */
const hanging = (): Misbehaviour => {
  let end: () => void = () => undefined;
  const over = new Promise<'disconnect'>((resolve) => (end = () => resolve('disconnect')));
  return { onRequest: () => over, end };
};

const slow = (delayMs: number): Misbehaviour => {
  const over = new AbortController();
  return {
    onRequest: () => wait(delayMs, undefined, { signal: over.signal }).catch(() => undefined),
    end: () => over.abort(),
  };
};

/** Answers requests beyond the limit with 429 and the time until the next window, in whole seconds. */
const rateLimit = (requests: number, windowMs: number): Misbehaviour => {
  let windowEnd = 0;
  let left = 0;
  return {
    onRequest: () => {
      const now = performance.now();
      if (now >= windowEnd) {
        windowEnd = now + windowMs;
        left = requests;
      }
      if (left === 0) return failed(429, Math.ceil((windowEnd - now) / MS));
      left -= 1;
      return undefined;
    },
  };
};

/** Answers every page request with a full page of the same items, like a cache that ignores `page`. */
const endlessPages = (): Misbehaviour => ({
  onAnswer: (_answer, request, node) => {
    const url = new URL(request.path, 'http://node.invalid');
    url.searchParams.delete('page');
    const answer = node({ ...request, path: `${url.pathname}${url.search}` });
    const { data, ...rest } = JSON.parse(answer.body) as { readonly data?: unknown };
    if (!Array.isArray(data) || data.length === 0) return answer;
    const length = Number(url.searchParams.get('limit') ?? LARGEST_PAGE);
    const page = Array.from({ length }, (_, index) => data[index % data.length] as unknown);
    return { ...answer, body: JSON.stringify({ ...rest, data: page }) };
  },
});

const PADDING = ' '.repeat(65_536);

/** Sends blanks before the last character of an answer until the client leaves or the node recovers. */
const endlessBody = (): Misbehaviour => {
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
    onAnswer: (answer) => ({ ...answer, body: endless(answer.body) }),
    end: () => (isOver = true),
  };
};

/** Claims a larger height than it has. The blocks that it serves are correct. */
const boasting = (by: number, serves: boolean): Misbehaviour => {
  const raised = (data: Data): Data => {
    const heights = ['height', 'now'].filter((name) => typeof data[name] === 'number');
    const block = data['block'] as Data | undefined;
    return {
      ...data,
      ...Object.fromEntries(heights.map((name) => [name, (data[name] as number) + by])),
      ...(block ? { block: raised(block) } : {}),
    };
  };
  const isOfStatus = /^\/api\/(node\/syncing|node\/status|blockchain)$/;
  return { ...rewritten(isOfStatus, raised), ...(serves ? {} : { onBlocks: () => [] }) };
};

/** What any node can do wrong. The devnet adds what needs another chain; its README describes all kinds. */
export const NODE_KINDS = {
  down: kind(nothing, () => ({ onRequest: () => 'disconnect' })),
  hanging: kind(nothing, hanging),
  slow: kind(z.strictObject({ delayMs: z.number().int().min(1).max(600_000) }), ({ delayMs }) =>
    slow(delayMs),
  ),
  failing: kind(
    z.strictObject({
      status: z.number().int().min(400).max(599),
      /** Seconds. */
      retryAfter: z.number().min(0).max(3_600).optional(),
    }),
    ({ status, retryAfter }) => ({ onRequest: () => failed(status, retryAfter) }),
  ),
  'rate-limit': kind(
    z.strictObject({
      requests: z.number().int().min(1).max(10_000),
      windowMs: z.number().int().min(100).max(600_000),
    }),
    ({ requests, windowMs }) => rateLimit(requests, windowMs),
  ),
  truncated: kind(nothing, () => ({
    onAnswer: (answer) => ({ ...answer, body: firstHalf(answer.body) }),
  })),
  'cut-off': kind(nothing, () => ({
    onAnswer: (answer) => ({
      ...answer,
      headers: { ...answer.headers, 'content-length': String(Buffer.byteLength(answer.body)) },
      body: breakOff(answer.body),
    }),
  })),
  /** Like a proxy whose node is gone, but with a success status. */
  'invalid-json': kind(nothing, () => ({
    onAnswer: (answer) => ({
      ...answer,
      headers: { ...answer.headers, 'content-type': 'text/html' },
      body: '<html><head><title>Welcome</title></head><body><h1>It works!</h1></body></html>',
    }),
  })),
  'endless-pages': kind(nothing, endlessPages),
  'endless-body': kind(nothing, endlessBody),
  /** A list of one block stays whole. */
  gap: kind(nothing, () => ({
    onBlocks: (blocks) => blocks.filter((_, index) => blocks.length === 1 || index !== blocks.length >> 1),
  })),
  'wrong-order': kind(nothing, () => ({ onBlocks: (blocks) => [...blocks].reverse() })),
  boasting: kind(
    z.strictObject({
      by: z.number().int().min(1).max(2_000_000_000),
      serves: z.boolean().default(true),
    }),
    ({ by, serves }) => boasting(by, serves),
  ),
};
