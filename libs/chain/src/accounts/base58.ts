import { base58 } from '@scure/base';
import { orNull } from '../crypto/crypto.js';

export const encodeBase58 = (bytes: Uint8Array): string => base58.encode(bytes);

/** The decoded bytes; null if the text has a character outside the alphabet. */
export const decodeBase58 = (text: string): Buffer | null => orNull(() => Buffer.from(base58.decode(text)));
