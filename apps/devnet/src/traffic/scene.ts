import type { Delegate } from '@roundhouse/chain';
import type { ChainState } from '../chain/chain-state.js';
import type { Draft } from '../forging/draft.js';
import type { KeyPair } from '../keys/key-pair.js';
import type { KeyRing } from '../keys/key-ring.js';
import { STATIC_FEES } from '../network/devnet-network.js';
import type { SeededRandom } from '../random/seeded-random.js';
import type { Intent } from './intent.js';

/** Everything that an act may read. */
export interface Scene {
  /** The height of the block that is being forged. */
  readonly height: number;
  readonly random: SeededRandom;
  readonly ring: KeyRing;
  readonly state: ChainState;
  readonly draft: Draft;
}

/** One kind of action of an account; null if no account can do it now. */
export type Act = (scene: Scene) => Intent | null;

const ATTEMPTS = 16;

export const feeOf = (name: keyof typeof STATIC_FEES): bigint => BigInt(STATIC_FEES[name]);

/** The most that any account moves at once: 400,000 tokens. */
const MOST_MOVED = 40_000_000_000_000n;

/** The sender's spendable amount divided by `part`, but at most the limit above. */
export const shareOf = (spendable: bigint, part: bigint): bigint => {
  const share = spendable / part;
  return share < MOST_MOVED ? share : MOST_MOVED;
};

/** Picks an account of the seed that has sent nothing in this block, can pay, and meets the condition. */
export const pickSender = (
  { random, ring, draft }: Scene,
  least: bigint,
  wish: (account: KeyPair) => boolean = () => true,
): KeyPair | null => {
  for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
    const account = random.pick(ring.accounts);
    if (!draft.isBusy(account.address) && draft.spendableOf(account.address) >= least && wish(account))
      return account;
  }
  return null;
};

/** The delegates that have not resigned, in order of registration. */
export const eligibleDelegates = ({ state }: Scene): readonly Delegate[] =>
  [...state.ledger.delegates.values()].filter((delegate) => !delegate.isResigned);
