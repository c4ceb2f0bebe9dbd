import { TransactionType } from '@roundhouse/chain';
import type { KeyPair } from '../../keys/key-pair.js';
import type { Intent } from '../intent.js';
import { feeOf, pickSender, type Act, type Scene } from '../scene.js';

/** This share of votes goes to delegates registered after the genesis block, so that some of them forge. */
const FOR_NEWCOMERS = 0.4;

const vote = (sender: string, votes: readonly string[]): Intent => ({
  sender,
  type: TransactionType.Vote,
  fee: feeOf('vote'),
  asset: { votes },
});

/** Picks a delegate to vote for; resigned delegates cannot be voted for. */
export const pickDelegate = (scene: Scene): string => {
  const { random, popularity } = scene;
  const eligible = scene.state.eligibleDelegates;
  // Without a popular delegate nothing is drawn, so that the chains of all seeds stay as they are.
  if (popularity > 0 && random.chance(popularity)) return eligible[0]!.publicKey;
  const newcomers = eligible.slice(scene.state.activeDelegates);
  return random.pick(newcomers.length > 0 && random.chance(FOR_NEWCOMERS) ? newcomers : eligible).publicKey;
};

const pickVoter = (scene: Scene, isVoting: boolean): { account: KeyPair; current: string | null } | null => {
  const { state } = scene;
  const account = pickSender(
    scene,
    feeOf('vote'),
    ({ address }) => (state.accountOf(address).vote !== null) === isVoting,
  );
  return account && { account, current: state.accountOf(account.address).vote };
};

export const firstVote: Act = (scene) => {
  const voter = pickVoter(scene, false);
  return voter && vote(voter.account.address, [`+${pickDelegate(scene)}`]);
};

export const unvote: Act = (scene) => {
  const voter = pickVoter(scene, true);
  return voter && vote(voter.account.address, [`-${voter.current}`]);
};

/** Switches from one delegate to another in one transaction. */
export const switchVote: Act = (scene) => {
  const voter = pickVoter(scene, true);
  return voter && vote(voter.account.address, [`-${voter.current}`, `+${pickDelegate(scene)}`]);
};

/** Removes a vote and gives it back to the same delegate in one transaction. */
export const repeatVote: Act = (scene) => {
  const { state } = scene;
  const voter = pickVoter(scene, true);
  if (!voter?.current || state.ledger.delegates.get(voter.current)?.isResigned !== false) return null;
  return vote(voter.account.address, [`-${voter.current}`, `+${voter.current}`]);
};
