import type { Block, Transaction } from '@roundhouse/chain';
import {
  ACTIVE_DELEGATES,
  chainMaker,
  DEFAULT_OPTIONS,
  Draft,
  KeyRing,
  makeBlocks,
  PUB_KEY_HASH,
  realSigning,
  signIntent,
  type ChainMaker,
  type ChainOptions,
  type ChainState,
  type Intent,
  type NetworkConfig,
} from '@roundhouse/forging';

export const TIMING = { epoch: '2020-01-01T00:00:00.000Z', blockTime: 2 };

/** Long enough for every kind of traffic, and quick to forge. */
export const SMALL: ChainOptions = {
  ...DEFAULT_OPTIONS,
  seed: 'small',
  accounts: 60,
  delegates: 55,
  missRate: 0,
};

const makers = new Map<string, ChainMaker>();

/** A maker holds keys but no chain, so tests can share one. Deriving the keys takes most of a short test's time. */
export const makerOf = (options: ChainOptions): ChainMaker => {
  const key = JSON.stringify(options);
  let maker = makers.get(key);
  if (!maker) makers.set(key, (maker = chainMaker(options)));
  return maker;
};

export interface MadeChain {
  readonly blocks: readonly Block[];
  readonly network: NetworkConfig;
  readonly state: ChainState;
}

export const makeChain = (options: Partial<ChainOptions>, height: number): MadeChain => {
  const maker = makerOf({ ...SMALL, ...options });
  const state = maker.emptyState(TIMING);
  const blocks = [...makeBlocks(maker, state, height)];
  return { blocks, network: maker.network(TIMING), state };
};

export interface Signer {
  readonly ring: KeyRing;
  /** Returns the intent as the sender's next transaction, signed with the seed's keys. */
  readonly sign: (state: ChainState, intent: Intent) => Transaction;
}

export const makeSigner = ({ seed, accounts } = SMALL): Signer => {
  const ring = new KeyRing(seed, PUB_KEY_HASH, { accounts, genesisDelegates: ACTIVE_DELEGATES });
  const sign = (state: ChainState, intent: Intent): Transaction => {
    const transaction = signIntent(intent, new Draft(state), ring, realSigning);
    if (!transaction) throw new Error(`The seed has no keys for ${intent.sender}.`);
    return transaction;
  };
  return { ring, sign };
};
