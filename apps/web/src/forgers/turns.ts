import type { Slot, Status } from '../status/status.js';

/** A slot after the head's, and where it stands in time. */
export interface Turn {
  readonly slot: number;
  /** When it begins, in milliseconds since 1970. */
  readonly startsAt: number;
  readonly username: string | null;
  readonly publicKey: string;
  readonly state: 'late' | 'now' | 'next';
}

export interface Turns {
  /** How many slots have passed since the head without a block. */
  readonly lateCount: number;
  /** The newest of those, then the slot that runs, then those to come. */
  readonly shown: readonly Turn[];
}

const MOST_LATE = 3;
const MOST_NEXT = 8;

/** The forger of any slot: the order repeats as long as the round lasts. */
const forgerOf = ({ round, network }: Status): ((slot: number) => Slot | undefined) => {
  const length = network.activeDelegates;
  const byPlace = new Map(round.slots.map((slot) => [slot.slot % length, slot]));
  return (slot) => byPlace.get(slot % length);
};

/**
 * Whose turn it is. Which slots are late follows from the clock alone.
 * @param now milliseconds since 1970; null where no clock runs: nobody is late then
 */
export const turnsOf = (status: Status, now: number | null): Turns => {
  const { network, round } = status;
  const due = round.slots.find(({ state }) => state === 'due');
  if (!due) return { lateCount: 0, shown: [] };
  const slotMs = network.blocktime * 1000;
  const firstStartsAt = network.epoch + due.timestamp * 1000;
  const passed = now === null ? 0 : Math.max(0, Math.floor((now - firstStartsAt) / slotMs));
  const hasBegun = now !== null && now >= firstStartsAt;
  const forger = forgerOf(status);
  const turnAt = (index: number): Turn[] => {
    const slot = due.slot + index;
    const found = forger(slot);
    if (!found) return [];
    const state = index < passed ? 'late' : index === passed && hasBegun ? 'now' : 'next';
    const { username, publicKey } = found;
    return [{ slot, startsAt: firstStartsAt + index * slotMs, username, publicKey, state }];
  };
  const from = Math.max(0, passed - MOST_LATE);
  const indexes = Array.from({ length: passed - from + MOST_NEXT }, (_, index) => from + index);
  return { lateCount: passed, shown: indexes.flatMap(turnAt) };
};
