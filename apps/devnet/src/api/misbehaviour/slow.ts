import { setTimeout as wait } from 'node:timers/promises';
import { z } from 'zod';
import type { Misbehaviour } from './misbehaviour.js';

export const slowOrder = z.strictObject({
  kind: z.literal('slow'),
  /** How long each answer is delayed. */
  delayMs: z.number().int().min(1).max(600_000),
});

export const slow = ({ delayMs }: z.infer<typeof slowOrder>): Misbehaviour => {
  const over = new AbortController();
  return {
    onRequest: () => wait(delayMs, undefined, { signal: over.signal }).catch(() => undefined),
    end: () => over.abort(),
  };
};
