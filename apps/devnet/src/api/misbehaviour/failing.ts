import { z } from 'zod';
import { ApiError } from '../api.error.js';
import type { Misbehaviour } from './misbehaviour.js';

export const failingOrder = z.strictObject({
  kind: z.literal('failing'),
  status: z.number().int().min(400).max(599),
  /** The value of the header `retry-after`, in seconds. */
  retryAfter: z.number().int().min(0).max(3_600).optional(),
});

/** Answers with an error status: 500, 503, or 429 with the time to wait. */
export const failing = ({ status, retryAfter }: z.infer<typeof failingOrder>): Misbehaviour => ({
  onRequest: (_request, reply) => {
    if (retryAfter !== undefined) void reply.header('retry-after', retryAfter);
    throw new ApiError(status);
  },
});
