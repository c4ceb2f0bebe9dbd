import { decodeBase58Check } from '@roundhouse/chain';

const CAPACITY = 100_000;
const known = new Map<string, Buffer>();

/** The 21 bytes of an address. Throws if the text is not an address. */
export const addressBytes = (address: string): Buffer => {
  const remembered = known.get(address);
  if (remembered) return remembered;
  const bytes = decodeBase58Check(address);
  if (bytes?.length !== 21) throw new TypeError(`"${address}" is not an address.`);
  if (known.size >= CAPACITY) known.clear();
  known.set(address, bytes);
  return bytes;
};
