import type { ChainStatusResponse, Slot } from '@roundhouse/client';
import { timeOf } from '../status/status.js';

/** A slot after the head's slot, with its time and forger. */
export interface Turn {
  readonly slot: number;
  /** When it begins, in milliseconds since 1970. */
  readonly startsAt: number;
  readonly username: string | null;
  readonly publicKey: string;
}

/** The forger of any slot: the order repeats as long as the round lasts. */
const forgerOf = ({ round, network }: ChainStatusResponse): ((slot: number) => Slot | undefined) => {
  const length = network.activeDelegates;
  const byPlace = new Map(round.slots.map((slot) => [slot.slot % length, slot]));
  return (slot) => byPlace.get(slot % length);
};

/** The slots after the head's slot, one for each delegate whose place in the order is known; none if the chain has ended. */
export const turnsOf = (status: ChainStatusResponse): Turn[] => {
  const { network, round } = status;
  const first = round.slots.find(({ state }) => state === 'due');
  if (!first || status.ended) return [];
  const forger = forgerOf(status);
  return Array.from({ length: network.activeDelegates }, (_, index) => {
    const found = forger(first.slot + index);
    if (!found) return [];
    const { username, publicKey } = found;
    const startsAt = timeOf(status, first.timestamp + index * network.blocktime);
    return [{ slot: first.slot + index, startsAt, username, publicKey }];
  }).flat();
};

/** The next turn of an active delegate. */
export const turnOf = (status: ChainStatusResponse, publicKey: string): Turn | undefined =>
  turnsOf(status).find((turn) => turn.publicKey === publicKey);
