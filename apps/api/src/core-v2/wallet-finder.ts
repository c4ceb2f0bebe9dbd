import { Injectable } from '@nestjs/common';
import { addressOf } from '@roundhouse/chain';
import { notFound } from '@roundhouse/dto/core-v2';
import { CoreWalletsReader, type WalletIdentity } from '@roundhouse/readers';
import type { ChainView } from '../chain/chain-tracker.service.js';

const PUBLIC_KEY = /^[0-9a-f]{66}$/;

/** Finds the wallet that a path names: by its address, its public key, or its delegate's name, in this order. */
@Injectable()
export class WalletFinder {
  constructor(private readonly wallets: CoreWalletsReader) {}

  addressOfKey({ network }: ChainView, id: string): string | null {
    return PUBLIC_KEY.test(id) ? addressOf(id, network.pubKeyHash) : null;
  }

  /** Throws `CoreRefusal` if there is none. */
  async find(chain: ChainView, id: string): Promise<WalletIdentity> {
    const wallet = await this.wallets.findIdentity(chain.head, id, this.addressOfKey(chain, id));
    if (!wallet) throw notFound('Wallet');
    return wallet;
  }

  /** The public key of a delegate. */
  async findDelegateKey(chain: ChainView, id: string): Promise<string> {
    const { publicKey, isDelegate } = await this.find(chain, id);
    if (!isDelegate) throw notFound('Delegate');
    return publicKey!;
  }
}
