import { Readable } from 'node:stream';
import { z } from 'zod';
import type { Misbehaviour } from './misbehaviour.js';

export const truncatedOrder = z.strictObject({ kind: z.literal('truncated') });
export const cutOffOrder = z.strictObject({ kind: z.literal('cut-off') });
export const invalidJsonOrder = z.strictObject({ kind: z.literal('invalid-json') });

const firstHalf = (text: string): string => text.slice(0, text.length >> 1);

/** The answer is complete HTTP, but half of its JSON is missing. */
export const truncated = (): Misbehaviour => ({ onText: firstHalf });

async function* breakOff(text: string): AsyncGenerator<string> {
  yield firstHalf(text);
  throw new Error('cut off, as ordered');
}

/** Closes the connection in the middle of the answer. */
export const cutOff = (): Misbehaviour => ({
  onText: (text, reply) => {
    void reply.header('content-length', Buffer.byteLength(text));
    return Readable.from(breakOff(text), { objectMode: false });
  },
});

/** Answers like a proxy whose node is gone, but with a success status. */
export const invalidJson = (): Misbehaviour => ({
  onText: (_text, reply) => {
    void reply.type('text/html');
    return '<html><head><title>Welcome</title></head><body><h1>It works!</h1></body></html>';
  },
});
