import { InvalidBlockError } from '../../errors/chain-error.js';
import type { Effect } from './effect.js';

/** Its voters stay its voters; the next round end passes it over. */
export const applyDelegateResignation: Effect = ({ id, senderPublicKey }, { ledger, height }) => {
  const delegate = ledger.findDelegate(senderPublicKey);
  if (delegate === null)
    throw new InvalidBlockError(height, `transaction ${id} resigns ${senderPublicKey}, which is no delegate`);
  ledger.resign(delegate);
};
