import { TransactionType } from '@roundhouse/chain';
import { feeOf, isWithoutMembers, pickSender, type Act } from '../scene.js';

/** Usernames that programs often get wrong: a number, twenty characters, all allowed special characters. */
const NAMES = ['1', 'a_20_characters_name', 'o.racle&3', '$money@5', 'x!', 'under_score', '007', 'per.cent'];
/** This many delegates beyond the active ones never resign. */
const RESERVE = 4;
/** Each that resigns is replaced, so without a bound a long chain would have many times the delegates of a mainnet. */
const MOST_RESIGNED = 200;

export const registerDelegate: Act = (scene) => {
  const { state, draft, ring } = scene;
  const fee = feeOf('delegateRegistration');
  const { delegates } = state.ledger;
  const sender = pickSender(
    scene,
    2n * fee,
    (account) => !delegates.has(account.publicKey) && isWithoutMembers(scene, account),
  );
  if (!sender) return null;
  const registered = delegates.size + draft.registrations;
  const username = NAMES[registered - ring.genesisDelegates.length] ?? `delegate_${registered + 1}`;
  if (draft.isTaken(username)) return null;
  return {
    sender: sender.address,
    type: TransactionType.DelegateRegistration,
    fee,
    asset: { username },
  };
};

export const resignDelegate: Act = (scene) => {
  const { random, draft, state } = scene;
  const eligible = state.eligibleDelegates;
  const left = eligible.length - draft.resignations;
  if (left <= state.activeDelegates + RESERVE) return null;
  if (state.ledger.delegates.size - left >= MOST_RESIGNED) return null;
  const fee = feeOf('delegateResignation');
  const { address } = random.pick(eligible);
  if (draft.isBusy(address) || draft.spendableOf(address) < fee) return null;
  return { sender: address, type: TransactionType.DelegateResignation, fee };
};
