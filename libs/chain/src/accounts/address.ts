import { createBase58check } from '@scure/base';
import { UnserialisableError } from '../bytes/unserialisable.error.js';
import { orNull, ripemd160, sha256 } from '../crypto/crypto.js';

const base58Check = createBase58check(sha256);

/** The bytes of an address, version byte first; null if the text or its checksum is wrong. */
export const decodeBase58Check = (text: string): Buffer | null =>
  orNull(() => Buffer.from(base58Check.decode(text)));

export const ADDRESS_BYTES = 21;

/** An address: base58 of its bytes and the first four bytes of their double SHA-256. */
export const addressOfBytes = (bytes: Uint8Array): string => base58Check.encode(bytes);

/**
 * The address of an account: the network's byte followed by RIPEMD-160 of the public key, in base58
 * (protocol.md, "Addresses").
 */
export const addressOf = (publicKey: string, pubKeyHash: number): string => {
  const payload = Buffer.allocUnsafe(ADDRESS_BYTES);
  payload[0] = pubKeyHash;
  ripemd160(Buffer.from(publicKey, 'hex')).copy(payload, 1);
  return addressOfBytes(payload);
};

/**
 * Most addresses occur often, so they are kept. A full cache is emptied: dropping only the oldest entry of a Map takes
 * longer with each one that was dropped before.
 */
const CAPACITY = 100_000;
const keptBytes = new Map<string, Buffer>();

/** The 21 bytes of an address; null if the text is not an address. */
export const addressBytes = (address: string): Buffer | null => {
  const kept = keptBytes.get(address);
  if (kept) return kept;
  const bytes = decodeBase58Check(address);
  if (bytes?.length !== ADDRESS_BYTES) return null;
  if (keptBytes.size >= CAPACITY) keptBytes.clear();
  keptBytes.set(address, bytes);
  return bytes;
};

/** The same. Throws `UnserialisableError` if the text is not an address. */
export const bytesOfAddress = (address: string): Buffer => {
  const bytes = addressBytes(address);
  if (bytes === null)
    throw new UnserialisableError(`has the recipient "${address}", which is not an address`);
  return bytes;
};

/** Caches the addresses of keys: the same few thousand keys sign most of a chain. */
export class AddressBook {
  private readonly known = new Map<string, string>();

  constructor(
    private readonly pubKeyHash: number,
    private readonly capacity = CAPACITY,
  ) {}

  addressOf(publicKey: string): string {
    const known = this.known.get(publicKey);
    if (known !== undefined) return known;
    const address = addressOf(publicKey, this.pubKeyHash);
    if (this.known.size >= this.capacity) this.known.clear();
    this.known.set(publicKey, address);
    return address;
  }
}
