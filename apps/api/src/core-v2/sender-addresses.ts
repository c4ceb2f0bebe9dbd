import { addressOf } from '@roundhouse/chain';
import { LRUCache } from 'lru-cache';
import type { ChainView } from '../chain/chain-tracker.service.js';

/** No table has the address of every key, and to compute one takes longer than the rest of a row. */
class SenderAddresses {
  private readonly known = new LRUCache<string, string>({ max: 20_000 });

  of(publicKey: string, { network }: ChainView): string {
    const key = `${network.pubKeyHash} ${publicKey}`;
    const known = this.known.get(key);
    if (known !== undefined) return known;
    const address = addressOf(publicKey, network.pubKeyHash);
    this.known.set(key, address);
    return address;
  }
}

export const senderAddresses = new SenderAddresses();
