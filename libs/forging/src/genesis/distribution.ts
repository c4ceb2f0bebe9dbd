import type { KeyRing } from '../keys/key-ring.js';
import type { KeyPair } from '../keys/key-pair.js';
import { SeededRandom } from '../random/seeded-random.js';

const TOKEN = 100_000_000n;
/** Well above 2^53, where a floating-point number loses the last digit. */
const WHALE = 15_007_199_254_740_993n;
const WHALES = 3;
/**
 * Later accounts come into use when they first receive something. A node's tables have no place for more than 32,767
 * transactions of a block, and each of these accounts has up to two.
 */
const MOST_GRANTED = 15_000;
/** The share of accounts that vote from the beginning. */
const VOTING_SHARE = 0.85;

export interface Grant {
  readonly to: KeyPair;
  /** Arktoshi. */
  readonly amount: bigint;
  /** The delegate for which the account votes in the genesis block. */
  readonly vote: string | null;
}

/**
 * The accounts at the start. Delegates vote for themselves with little weight; the accounts' votes decide the ranks,
 * and a few of them can make another delegate active.
 */
export const distribution = (
  { seed, genesisDelegates, accounts }: Pick<KeyRing, 'seed' | 'genesisDelegates' | 'accounts'>,
  areRich: boolean,
): readonly Grant[] => {
  const random = SeededRandom.of(seed, 'distribution');
  const delegates = genesisDelegates.map((to) => ({
    to,
    amount: random.amount(40_000n * TOKEN, 90_000n * TOKEN),
    vote: to.publicKey,
  }));
  const others = accounts.slice(0, MOST_GRANTED).map((to, index) => ({
    to,
    amount:
      areRich || index < WHALES
        ? WHALE + random.amount(0n, 1_000n * TOKEN)
        : random.amount(500n * TOKEN, 400_000n * TOKEN),
    vote: random.chance(VOTING_SHARE) ? random.pick(genesisDelegates).publicKey : null,
  }));
  return [...delegates, ...others];
};
