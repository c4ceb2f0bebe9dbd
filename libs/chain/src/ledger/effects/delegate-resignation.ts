import { InvalidBlockError } from '../../errors/chain-error.js';
import type { Effect } from './effect.js';

/** The delegate keeps its voters. From the end of this round on it is no longer active. */
export const applyDelegateResignation: Effect = ({ id, senderPublicKey }, { ledger, height }) => {
  const delegate = ledger.findDelegate(senderPublicKey);
  if (delegate === null)
    throw new InvalidBlockError(
      height,
      `transaction ${id} resigns ${senderPublicKey}, which is not a delegate`,
    );
  ledger.resign(delegate);
};
