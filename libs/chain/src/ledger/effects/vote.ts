import { assetOf } from './asset.js';
import type { Effect } from './effect.js';

/** Votes apply in order: `+key` sets the vote; `-key` clears it, whatever key it names (Core 2.4 and 3.9). */
export const applyVote: Effect = (transaction, { ledger, sender, height }) => {
  for (const vote of assetOf(transaction, 'votes', height)) {
    ledger.setVote(sender, vote.startsWith('+') ? vote.slice(1) : null);
  }
};
