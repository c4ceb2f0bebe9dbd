import { forgingOrder } from '../rounds/forging-order.js';
import { roundOf } from '../rounds/rounds.js';
import { activeDelegates, byNumber, sortRanking, type Drift } from './active-delegates.js';
import { MOST_LISTS } from './claim-drifts.js';
import type { Forgers } from './forgers.js';
import { absentIn } from './slots.js';
import type { ForgerList, RoundBlock } from './state.js';

/**
 * Where the order of forgers may begin from the block after `last` on. Core 3 counts from the slot after the last block
 * before `activeDelegates` changed, Core 2 from 0: the blocks after the change tell which (protocol.md, "Rounds").
 */
const firstSlotsOf = (ledger: Forgers, last: RoundBlock, count: number): number[] => {
  const changes = ledger.milestones.changesOf('activeDelegates');
  const change = changes.findIndex(({ height }) => height === last.height + 1);
  const current = ledger.round?.firstSlot ?? 0;
  if (change < 1) return [current];
  const next = ledger.slotOf(last) + 1;
  if (next % count === 0) return [next];
  // The last change has shown which Core the chain runs.
  return change > 1 && current === 0 ? [0, next] : [next, 0];
};

const weightsOf = (ledger: Forgers, forgers: readonly string[], drift: Drift): bigint[] | null =>
  ledger.keepsDetails
    ? forgers.map((publicKey) => {
        const { number, weight } = ledger.delegates.get(publicKey)!;
        return weight + (drift.get(number) ?? 0n);
      })
    : null;

/** The lists of forgers that the round after the block `last` may have, as they are tried; at least one. */
const listsAfter = (ledger: Forgers, last: RoundBlock, round: number, count: number): ForgerList[] => {
  const lists = new Map<string, ForgerList>();
  const firstSlots = firstSlotsOf(ledger, last, count);
  const { ranking } = ledger;
  const candidates = ledger.claims.candidates();
  const numbered = byNumber(candidates.some(({ drift }) => drift.size > 0) ? ranking : []);
  for (const { forgotten: forgottenClaims, drift } of candidates) {
    const active = activeDelegates(ranking, count, drift, numbered);
    const names = active.join(' ');
    for (const firstSlot of firstSlots) {
      const key = `${firstSlot} ${names}`;
      // Most claims change no list.
      if (lists.size === MOST_LISTS || lists.has(key)) continue;
      const order = forgingOrder(active, round);
      lists.set(key, {
        forgingOrder: order,
        weights: weightsOf(ledger, order, drift),
        firstSlot,
        forgottenClaims,
      });
    }
  }
  return [...lists.values()];
};

/** Fixes the forgers of the round that begins at `firstHeight`, when the block `last` is applied. */
const fixForgers = (ledger: Forgers, firstHeight: number, last: RoundBlock): void => {
  const { round, activeDelegates: count } = roundOf(ledger.milestones, firstHeight);
  sortRanking(ledger.ranking);
  const [first, ...others] = listsAfter(ledger, last, round, count);
  ledger.startRound({ round, firstHeight, ...first! }, others);
};

const countMissed = (ledger: Forgers): void => {
  for (const publicKey of absentIn(ledger.round, ledger.forged)) {
    const delegate = ledger.findDelegate(publicKey);
    if (delegate) ledger.countMissed(delegate);
  }
};

/**
 * After the genesis block, fixes the forgers of round 1. If that block is the whole of round 1, the round has no forgers
 * and nobody misses it (Core 3.9, `applyRound`).
 */
export const beginFirstRound = (ledger: Forgers, genesis: RoundBlock): void => {
  if (roundOf(ledger.milestones, 1).lastHeight > 1) fixForgers(ledger, 1, genesis);
};

/** After the last block of a round was applied, fixes the forgers of the next round. */
export const endRound = (ledger: Forgers, last: RoundBlock): void => {
  countMissed(ledger);
  fixForgers(ledger, last.height + 1, last);
};

/**
 * Whether the next block begins a round whose forgers were fixed under other rules. This is so if their number is not
 * the one that the ledger's rules require. Call this with all delegates loaded.
 */
export const hasOutdatedForgers = ({ head, round, milestones, delegates }: Forgers): boolean => {
  if (head === null || round?.firstHeight !== head.height + 1) return false;
  const eligible = [...delegates.values()].filter(({ isResigned }) => !isResigned).length;
  return round.forgingOrder.length !== Math.min(milestones.at(round.firstHeight).activeDelegates, eligible);
};
