import { z } from 'zod';
import { ApiError } from '../api.error.js';
import type { Misbehaviour } from './misbehaviour.js';

export const rateLimitOrder = z.strictObject({
  kind: z.literal('rate-limit'),
  /** The number of requests answered per window. Core 3.x allows 100 a minute. */
  requests: z.number().int().min(1).max(10_000),
  windowMs: z.number().int().min(100).max(600_000),
});

const MS = 1_000;

/** Answers requests beyond the limit with 429 and the time until the next window, in whole seconds. */
export const rateLimit = ({ requests, windowMs }: z.infer<typeof rateLimitOrder>): Misbehaviour => {
  let windowEnd = 0;
  let left = 0;
  return {
    onRequest: (_request, reply) => {
      const now = performance.now();
      if (now >= windowEnd) {
        windowEnd = now + windowMs;
        left = requests;
      }
      if (left === 0) {
        void reply.header('retry-after', Math.ceil((windowEnd - now) / MS));
        throw new ApiError(429);
      }
      left -= 1;
    },
  };
};
