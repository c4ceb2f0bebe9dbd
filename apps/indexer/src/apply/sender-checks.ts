import { problemOfSignaturesInBlock } from '@roundhouse/blocks';
import { InvalidBlockError, type Ledger, type OnSender } from '@roundhouse/chain';

/**
 * Returns a function that checks the signatures of a block's transactions under keys of the senders' accounts. It throws
 * `InvalidBlockError`.
 */
export const senderCheck = ({ network, milestones }: Ledger, height: number): OnSender => {
  // Core's devnet has second signatures without a key in its first blocks (Core 3.9, `performGenericWalletChecks`).
  const ignoresUnexpected = network.name === 'devnet' && milestones.at(height).ignoresSecondSignatures;
  return (transaction, keys) => {
    const problem = problemOfSignaturesInBlock(height, transaction, keys, network, ignoresUnexpected);
    if (problem !== null) throw new InvalidBlockError(height, `transaction ${transaction.id} ${problem}`);
  };
};
