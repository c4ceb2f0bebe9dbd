import { createHash, hash as hashOnce } from 'node:crypto';

/** `crypto.hash` (Node 20.12 on) does without the stream object of `createHash`. */
export const sha256 = (bytes: Uint8Array | string): Buffer => hashOnce('sha256', bytes, 'buffer');

/** As text, which costs half of what a buffer does; `binary` is a byte a character. */
export const sha256As = (form: 'hex' | 'binary', bytes: Uint8Array | string): string =>
  hashOnce('sha256', bytes, form);

export const ripemd160 = (bytes: Uint8Array): Buffer => createHash('ripemd160').update(bytes).digest();
