import { decodeBase58Check, encodeBase58Check } from '../accounts/base58.js';

export const ADDRESS_BYTES = 21;

const CAPACITY = 100_000;
const known = new Map<string, Buffer>();

/** The 21 bytes of an address; null if the text is not an address. Most recipients occur often, so they are kept. */
export const addressBytes = (address: string): Buffer | null => {
  const remembered = known.get(address);
  if (remembered) return remembered;
  const bytes = decodeBase58Check(address);
  if (bytes?.length !== ADDRESS_BYTES) return null;
  if (known.size >= CAPACITY) known.clear();
  known.set(address, bytes);
  return bytes;
};

export const addressOfBytes = (bytes: Uint8Array): string => encodeBase58Check(bytes);
