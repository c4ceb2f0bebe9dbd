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
  /** The share of votes that the oldest delegate gets, in addition to its part of the rest. */
  readonly popularity: number;
  /** Whether accounts move much. */
  readonly isDense: boolean;
}

/** One kind of action of an account; null if no account can do it now. */
export type Act = (scene: Scene) => Intent | null;

const ATTEMPTS = 16;

export const feeOf = (name: keyof typeof STATIC_FEES): bigint => BigInt(STATIC_FEES[name]);

/** The most that any account moves at once: 400,000 tokens. */
const MOST_MOVED = 40_000_000_000_000n;

/** What the account can spend, divided by `part`, but at most the limit above; much more in a dense chain. */
export const shareOf = ({ draft, isDense }: Scene, address: string, part: bigint): bigint => {
  const spendable = draft.spendableOf(address);
  if (isDense) return spendable / 3n;
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

/** Whether the account has no members of its own: only such an account may register, set a second key or take members. */
export const isWithoutMembers = ({ state }: Scene, { address }: KeyPair): boolean =>
  state.accountOf(address).multiSignature === null;

/** An act chooses among this many open locks or multi-signature accounts, so that its cost does not grow with the chain. */
const MOST_CANDIDATES = 256;

/** The oldest entries of the map that meet the condition, out of at most `MOST_CANDIDATES`. */
export const candidates = <K, V>(
  map: ReadonlyMap<K, V>,
  wish: (entry: readonly [K, V]) => boolean,
): [K, V][] => {
  const found: [K, V][] = [];
  let seen = 0;
  for (const entry of map) {
    if (wish(entry)) found.push(entry);
    seen += 1;
    if (seen === MOST_CANDIDATES) break;
  }
  return found;
};
