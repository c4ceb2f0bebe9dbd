import { ripemd160 } from '../crypto/hashes.js';
import { encodeBase58Check } from './base58.js';

/**
 * The address of an account: the network's byte followed by RIPEMD-160 of the public key, in base58
 * (protocol.md, "Addresses").
 */
export const addressOf = (publicKey: string, pubKeyHash: number): string => {
  const payload = Buffer.allocUnsafe(21);
  payload[0] = pubKeyHash;
  ripemd160(Buffer.from(publicKey, 'hex')).copy(payload, 1);
  return encodeBase58Check(payload);
};

/**
 * Caches addresses, because the same few thousand keys sign most of a chain. A full cache is emptied: dropping only
 * the oldest entry of a Map takes longer with each one that was dropped before.
 */
export class AddressBook {
  private readonly known = new Map<string, string>();

  constructor(
    private readonly pubKeyHash: number,
    private readonly capacity = 100_000,
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
