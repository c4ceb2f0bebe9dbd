import { base58, createBase58check } from '@scure/base';
import { sha256 } from '../crypto/hashes.js';
import { orNull } from '../crypto/or-null.js';

const base58Check = createBase58check(sha256);

export const encodeBase58 = (bytes: Uint8Array): string => base58.encode(bytes);

/** Base58 of the bytes and the first four bytes of their double SHA-256. */
export const encodeBase58Check = (payload: Uint8Array): string => base58Check.encode(payload);

/** The decoded bytes; null if the text has a character outside the alphabet. */
export const decodeBase58 = (text: string): Buffer | null => orNull(() => Buffer.from(base58.decode(text)));

/** The bytes of an address, version byte first; null if the text or its checksum is wrong. */
export const decodeBase58Check = (text: string): Buffer | null =>
  orNull(() => Buffer.from(base58Check.decode(text)));
