import { createHash, hash as hashOnce } from 'node:crypto';

/** `crypto.hash` (Node 20.12 on) does without the stream object of `createHash`. */
export const sha256 = (bytes: Uint8Array | string): Buffer => hashOnce('sha256', bytes, 'buffer');

export const ripemd160 = (bytes: Uint8Array): Buffer => createHash('ripemd160').update(bytes).digest();
