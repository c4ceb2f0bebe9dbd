import { z } from 'zod';
import type { Misbehaviour } from './misbehaviour.js';

export const downOrder = z.strictObject({ kind: z.literal('down') });

/** Closes connections at once, without an answer. */
export const down = (): Misbehaviour => ({
  onRequest: (request, reply) => {
    reply.hijack();
    request.raw.destroy();
  },
});
