import type { ChainStatusResponse, Slot } from '@roundhouse/client';
import { timeOf } from '../status/status.js';

/** A slot after the head's slot, with its time and forger. */
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
  /** The newest late slots, then the current one, then those to come. */
  readonly shown: readonly Turn[];
}

const MOST_LATE = 3;
/** Includes the late ones. */
const MOST_SHOWN = 10;

/** The forger of any slot: the order repeats as long as the round lasts. */
const forgerOf = ({ round, network }: ChainStatusResponse): ((slot: number) => Slot | undefined) => {
  const length = network.activeDelegates;
  const byPlace = new Map(round.slots.map((slot) => [slot.slot % length, slot]));
  return (slot) => byPlace.get(slot % length);
};

/** The slots after the head's slot, by the clock. */
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

  /** The turn `index` slots after the first, or none if its forger is unknown. */
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

  /** The turns from index `from` up to, not including, `to`. */
  between(from: number, to: number): Turn[] {
    return Array.from({ length: to - from }, (_, index) => this.at(from + index)).flat();
  }

  private stateAt(index: number): Turn['state'] {
    if (index < this.passed) return 'late';
    return index === this.passed && this.now !== null && this.now >= this.firstStartsAt ? 'now' : 'next';
  }
}

/**
 * Whose turn it is. The clock alone decides which slots are late.
 * @param now milliseconds since 1970, or null without a clock: then no slot is late
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

/** The next turn of an active delegate, or the turn that it is late with. */
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
