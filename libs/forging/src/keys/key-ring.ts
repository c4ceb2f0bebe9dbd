import { keyPairOf, type KeyPair } from './key-pair.js';

const range = (count: number): number[] => Array.from({ length: count }, (_, index) => index);

export interface KeyRingSize {
  /** The number of accounts, in addition to the genesis delegates. */
  readonly accounts: number;
  readonly genesisDelegates: number;
}

/** All keys of a devnet, derived from its seed. */
export class KeyRing {
  /** Distributes the supply and forges the genesis block. */
  readonly genesis: KeyPair;
  readonly genesisDelegates: readonly KeyPair[];
  readonly accounts: readonly KeyPair[];
  private readonly byPublicKey = new Map<string, KeyPair>();
  private readonly secondKeys = new Map<string, KeyPair>();
  private readonly byAddress = new Map<string, KeyPair>();

  constructor(
    readonly seed: string,
    private readonly pubKeyHash: number,
    size: KeyRingSize,
  ) {
    this.genesis = this.derive('genesis');
    this.genesisDelegates = range(size.genesisDelegates).map((index) => this.derive('delegate', index));
    this.accounts = range(size.accounts).map((index) => this.derive('account', index));
    for (const keys of [this.genesis, ...this.genesisDelegates, ...this.accounts]) {
      this.byPublicKey.set(keys.publicKey, keys);
      this.byAddress.set(keys.address, keys);
    }
  }

  /** The key of an account outside the ring, for example one that only receives. */
  derive(...name: readonly (string | number)[]): KeyPair {
    return keyPairOf([this.seed, ...name].join(' '), this.pubKeyHash);
  }

  /** The second key of the account at `address`. */
  secondKeyOf(address: string): KeyPair {
    let keys = this.secondKeys.get(address);
    if (!keys) this.secondKeys.set(address, (keys = this.derive('second', address)));
    return keys;
  }

  findByPublicKey(publicKey: string): KeyPair | null {
    return this.byPublicKey.get(publicKey) ?? null;
  }

  findByAddress(address: string): KeyPair | null {
    return this.byAddress.get(address) ?? null;
  }
}
