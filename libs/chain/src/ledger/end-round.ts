import { forgingOrder } from '../rounds/forging-order.js';
import { roundOf } from '../rounds/round.js';
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
 * After the block at `height`: fixes round 1 at the genesis block, and the next round at a round's last block. Gives
 * whether it was a round's last block.
 */
export const endRound = (ledger: Ledger, height: number, generatorPublicKey: string): boolean => {
  if (height === 1) fixForgers(ledger, 1);
  ledger.forgers.add(generatorPublicKey);
  const { round } = ledger;

  if (round && height < roundOf(ledger.milestones, round.firstHeight).lastHeight) return false;
  countMissed(ledger);
  fixForgers(ledger, height + 1);
  return true;
};
