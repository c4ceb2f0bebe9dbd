import { forgingOrder, roundOf } from '../rounds/rounds.js';
import { activeDelegates } from './active-delegates.js';
import type { Ledger } from './ledger.js';

const fixForgers = (ledger: Ledger, firstHeight: number): void => {
  const { round, activeDelegates: count } = roundOf(ledger.milestones, firstHeight);
  const active = activeDelegates(ledger.ranking, count);
  ledger.startRound({ round, firstHeight, forgingOrder: forgingOrder(active, round) });
};

const countMissed = (ledger: Ledger): void => {
  for (const publicKey of ledger.round?.forgingOrder ?? []) {
    if (ledger.forgers.has(publicKey)) continue;
    const delegate = ledger.findDelegate(publicKey);
    if (delegate) ledger.countMissed(delegate);
  }
};

/**
 * Call this after the block at `height`. After the genesis block it fixes the forgers of round 1, after the last
 * block of a round those of the next round. If the genesis block is the whole of round 1, that round has no forgers and
 * nobody misses it (Core 3.9, `applyRound`). Returns whether the block was the last of its round.
 */
export const endRound = (ledger: Ledger, height: number, generatorPublicKey: string): boolean => {
  if (height === 1 && roundOf(ledger.milestones, 1).lastHeight > 1) fixForgers(ledger, 1);
  ledger.forgers.add(generatorPublicKey);
  const { round } = ledger;

  if (round && height < roundOf(ledger.milestones, round.firstHeight).lastHeight) return false;
  countMissed(ledger);
  fixForgers(ledger, height + 1);
  return true;
};

/**
 * Whether the next block begins a round whose forgers were fixed under other rules. This is so if their number is not
 * the one that the ledger's rules require. Call this with all delegates loaded.
 */
export const hasOutdatedForgers = ({ head, round, milestones, delegates }: Ledger): boolean => {
  if (head === null || round?.firstHeight !== head.height + 1) return false;
  const eligible = [...delegates.values()].filter(({ isResigned }) => !isResigned).length;
  return round.forgingOrder.length !== Math.min(milestones.at(round.firstHeight).activeDelegates, eligible);
};
