import { InvalidBlockError } from '../errors/chain-error.js';
import { EMPTY, type TypeDefinition } from './definition.js';

export const delegateResignation: TypeDefinition = {
  ...EMPTY,
  /** The delegate keeps its voters. From the end of this round on it is no longer active. */
  apply: ({ id, senderPublicKey }, { ledger, height }) => {
    const delegate = ledger.findDelegate(senderPublicKey);
    if (delegate === null)
      throw new InvalidBlockError(
        height,
        `transaction ${id} resigns ${senderPublicKey}, which is not a delegate`,
      );
    ledger.resign(delegate);
  },
};
