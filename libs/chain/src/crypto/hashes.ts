import { hash as hashOnce } from 'node:crypto';

// `crypto.hash` (Node.js 20.12 or newer) avoids the stream object of `createHash`.

export const sha256 = (bytes: Uint8Array | string): Buffer => hashOnce('sha256', bytes, 'buffer');

/** The hash as text, at half the cost of a buffer. `binary` has one character per byte. */
export const sha256As = (form: 'hex' | 'base64url' | 'binary', bytes: Uint8Array | string): string =>
  hashOnce('sha256', bytes, form);

export const ripemd160 = (bytes: Uint8Array): Buffer => hashOnce('ripemd160', bytes, 'buffer');
