import { InvalidBlockError } from '../errors/chain-error.js';
import { EMPTY, type TypeDefinition } from './definition.js';

export const delegateResignation: TypeDefinition = {
  ...EMPTY,
  check: (transaction, _sender, of) => {
    const { ledger, constants, constantsBelow } = of;
    const required = Math.min(constants.activeDelegates, constantsBelow.activeDelegates);
    const delegate = ledger.delegates.get(transaction.senderPublicKey);
    if (delegate?.isResigned)
      of.broken('resignation', `resigns ${delegate.username}, which has resigned before`, transaction);
    // Before nonces, Core 2.4 and 2.5 let any delegate resign.
    if (ledger.countEligible() <= required)
      of.broken(
        'resignation',
        `resigns one of ${ledger.countEligible()} delegates, but ${required} must remain`,
        transaction,
        transaction.nonce === null,
      );
  },
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
