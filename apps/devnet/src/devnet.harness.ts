import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { DevnetSettings } from './chain/create-chain.js';
import { DevnetChain, type Clock } from './chain/devnet-chain.js';
import {
  chainMaker,
  DEFAULT_OPTIONS,
  makeBlocks,
  type ChainMaker,
  type ChainOptions,
} from './chain/make-chain.js';
import type { ChainState } from './chain/chain-state.js';
import type { RawBlock } from './chain/raw-block.js';
import { Draft } from './forging/draft.js';
import { KeyRing } from './keys/key-ring.js';
import { realSigning } from './keys/signing.js';
import { ACTIVE_DELEGATES, PUB_KEY_HASH, type NetworkConfig } from './network/devnet-network.js';
import type { Intent } from './traffic/intent.js';
import { signIntent } from './traffic/sign-intent.js';
import type { RawTransaction } from './transactions/raw-transaction.js';

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
const makerOf = (options: ChainOptions): ChainMaker => {
  const { seed, accounts, delegates, transactionsPerBlock, missRate, popularity, hasSignatures } = options;
  const parts = [seed, accounts, delegates, transactionsPerBlock, missRate, popularity, hasSignatures];
  const key = JSON.stringify(parts);
  let maker = makers.get(key);
  if (!maker) makers.set(key, (maker = chainMaker(options)));
  return maker;
};

export interface MadeChain {
  readonly blocks: readonly RawBlock[];
  readonly network: NetworkConfig;
  readonly state: ChainState;
}

export const makeChain = (options: Partial<ChainOptions>, height: number): MadeChain => {
  const maker = makerOf({ ...SMALL, ...options });
  const state = maker.emptyState(TIMING);
  const blocks = [...makeBlocks(maker, state, height)];
  return { blocks, network: maker.network(TIMING), state };
};

/** A folder for one test; call `remove` at the end. */
export const makeFolder = (): { path: string; remove: () => void } => {
  const path = mkdtempSync(join(tmpdir(), 'roundhouse-devnet-'));
  return { path, remove: () => rmSync(path, { recursive: true, force: true }) };
};

/** An arbitrary time; tests advance it by hand. */
export const NOON = Date.parse('2026-03-01T12:00:00.000Z');

export const openChain = (
  folder: string,
  settings: Partial<DevnetSettings & ChainOptions> = {},
  clock: Clock = () => NOON,
): DevnetChain => {
  const options = { ...SMALL, ...settings };
  return DevnetChain.open(makerOf(options), { blockTime: 2, history: 20, folder, ...options }, clock);
};

export interface Signer {
  readonly ring: KeyRing;
  /** Returns the intent as the sender's next transaction, signed with the seed's keys. */
  readonly sign: (state: ChainState, intent: Intent) => RawTransaction;
}

export const makeSigner = ({ seed, accounts } = SMALL): Signer => {
  const ring = new KeyRing(seed, PUB_KEY_HASH, { accounts, genesisDelegates: ACTIVE_DELEGATES });
  const sign = (state: ChainState, intent: Intent): RawTransaction => {
    const transaction = signIntent(intent, new Draft(state), ring, realSigning);
    if (!transaction) throw new Error(`The seed has no keys for ${intent.sender}.`);
    return transaction;
  };
  return { ring, sign };
};
