import type { ChainStatusResponse, Slot } from '@roundhouse/client';
import { timeOf } from '../status/status.js';

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
/** The late ones among them. */
const MOST_SHOWN = 10;

/** The forger of any slot: the order repeats as long as the round lasts. */
const forgerOf = ({ round, network }: ChainStatusResponse): ((slot: number) => Slot | undefined) => {
  const length = network.activeDelegates;
  const byPlace = new Map(round.slots.map((slot) => [slot.slot % length, slot]));
  return (slot) => byPlace.get(slot % length);
};

/** The slots after the head's, as the clock has them. */
class Clocked {
  /** How many of them are over. */
  readonly passed: number;
  private readonly first: Slot | undefined;
  private readonly firstStartsAt: number;
  private readonly slotMs: number;
  private readonly forger: (slot: number) => Slot | undefined;

  constructor(
    status: ChainStatusResponse,
    private readonly now: number | null,
  ) {
    const { network, round } = status;
    this.first = round.slots.find(({ state }) => state === 'due');
    this.slotMs = network.blocktime * 1000;
    this.firstStartsAt = timeOf(status, this.first?.timestamp ?? 0);
    this.passed = now === null ? 0 : Math.max(0, Math.floor((now - this.firstStartsAt) / this.slotMs));
    this.forger = forgerOf(status);
  }

  /** The turn so many slots after the first; none where its forger is not known. */
  at(index: number): Turn[] {
    const slot = (this.first?.slot ?? 0) + index;
    const found = this.first && this.forger(slot);
    if (!found) return [];
    const { username, publicKey } = found;
    return [
      {
        slot,
        startsAt: this.firstStartsAt + index * this.slotMs,
        username,
        publicKey,
        state: this.stateAt(index),
      },
    ];
  }

  /** The turns from one place up to another, without that. */
  between(from: number, to: number): Turn[] {
    return Array.from({ length: to - from }, (_, index) => this.at(from + index)).flat();
  }

  private stateAt(index: number): Turn['state'] {
    if (index < this.passed) return 'late';
    return index === this.passed && this.now !== null && this.now >= this.firstStartsAt ? 'now' : 'next';
  }
}

/**
 * Whose turn it is. Which slots are late follows from the clock alone.
 * @param now milliseconds since 1970; null where no clock runs: nobody is late then
 */
export const turnsOf = (status: ChainStatusResponse, now: number | null): Turns => {
  const slots = new Clocked(status, now);
  const { passed } = slots;
  const from = Math.max(0, passed - MOST_LATE);
  return {
    lateCount: passed,
    shown: slots.between(from, from + MOST_SHOWN),
  };
};

/** The next turn of an active delegate: the one that it is late with, where it is. */
export const turnOf = (
  status: ChainStatusResponse,
  now: number | null,
  publicKey: string,
): Turn | undefined => {
  const slots = new Clocked(status, now);
  const order = status.network.activeDelegates;
  return slots
    .between(Math.max(0, slots.passed - order + 1), slots.passed + order)
    .find((turn) => turn.publicKey === publicKey);
};
