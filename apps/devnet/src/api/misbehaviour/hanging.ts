import type { IncomingMessage } from 'node:http';
import { z } from 'zod';
import type { Misbehaviour } from './misbehaviour.js';

export const hangingOrder = z.strictObject({ kind: z.literal('hanging') });

/** Accepts requests and never answers them. Their connections close when the node recovers. */
export const hanging = (): Misbehaviour => {
  const held = new Set<IncomingMessage>();
  return {
    onRequest: ({ raw }, reply) => {
      reply.hijack();
      held.add(raw);
      raw.once('close', () => held.delete(raw));
    },
    end: () => {
      for (const request of held) request.destroy();
    },
  };
};
