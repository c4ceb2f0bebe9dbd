import type { Delegate } from '@roundhouse/chain';
import type { PastState } from './past-states.js';

/** Texts are ordered by their bytes. */
export const byBytes = (one: string, other: string): number => Buffer.from(one).compare(Buffer.from(other));

export const rankIn = ({ ranks }: PastState, { number }: Delegate): number | null =>
  ranks.indexOf(number) + 1 || null;

/** What running nodes add to the weight of a delegate when the next round is fixed. */
const driftOf = ({ claims, round }: PastState, { number }: Delegate): bigint =>
  claims
    .filter((claim) => claim.number > round.forgottenClaims)
    .reduce((sum, { amount, loser, winner }) => {
      return sum + (winner === number ? amount : 0n) - (loser === number ? amount : 0n);
    }, 0n);

/** The forgers of the next round: those with the largest weights, as nodes see them. */
export const activeAfter = (state: PastState): string[] =>
  state.delegates
    .filter(({ isResigned }) => !isResigned)
    .map((each) => ({ publicKey: each.publicKey, weight: each.weight + driftOf(state, each) }))
    .sort((one, other) =>
      one.weight === other.weight
        ? byBytes(one.publicKey, other.publicKey)
        : Number(other.weight > one.weight) - Number(other.weight < one.weight),
    )
    .slice(0, state.round.forgingOrder.length)
    .map(({ publicKey }) => publicKey);

/** The same by the weights and ranks that answers show. */
export const cleanForgers = ({ delegates, ranks, round }: PastState): string[] =>
  ranks
    .slice(0, round.forgingOrder.length)
    .map((rank) => delegates.find(({ number }) => number === rank)!.publicKey);

const forgersAfter = ({ claims, round: { forgottenClaims } }: PastState) =>
  claims.length <= forgottenClaims ? 'clean' : forgottenClaims === 0 ? 'running' : 'restarted';

/** What `/api/history/delegates/{delegate}/rounds` must answer, newest first. */
export const expectedRounds = (states: readonly PastState[], publicKey: string) =>
  states
    .flatMap((state) => {
      const { height, endedRound, delegates } = state;
      const delegate = delegates.find((each) => each.publicKey === publicKey);
      if (!delegate || endedRound === null) return [];
      const { weight } = delegate;
      return [
        {
          round: endedRound,
          height,
          weight,
          rank: rankIn(state, delegate),
          forgingWeight: weight + driftOf(state, delegate),
          isActive: activeAfter(state).includes(publicKey),
          forgers: forgersAfter(state),
        },
      ];
    })
    .reverse();
