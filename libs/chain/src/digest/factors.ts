import type { Account, Delegate, Lock } from '../ledger/state.js';
import { factorOf, type Factor } from './lanes.js';

/** An account counts by being there, its texts with it, and by its amounts. */
export const accountTexts = ({ address, publicKey, vote }: Account): Factor =>
  factorOf(`account\t${address}\t${publicKey ?? ''}\t${vote ?? ''}`);

export const balanceFactor = (address: string): Factor => factorOf(`balance\t${address}`);

export const lockedFactor = (address: string): Factor => factorOf(`locked\t${address}`);

/** What of a delegate never changes. */
export const delegateTexts = (delegate: Delegate): Factor => {
  const { publicKey, address, registeredHeight, registeredSequence, username } = delegate;
  return factorOf(
    `delegate\t${publicKey}\t${address}\t${registeredHeight}\t${registeredSequence}\t${username}`,
  );
};

/** Of each value of a delegate that changes. */
export interface DelegateFactors {
  readonly weight: Factor;
  readonly forgedFees: Factor;
  readonly forgedRewards: Factor;
  readonly producedBlocks: Factor;
  readonly missedBlocks: Factor;
  readonly isResigned: Factor;
}

export const delegateFactors = (publicKey: string): DelegateFactors => {
  const of = (column: keyof DelegateFactors): Factor => factorOf(`${column}\t${publicKey}`);
  return {
    weight: of('weight'),
    forgedFees: of('forgedFees'),
    forgedRewards: of('forgedRewards'),
    producedBlocks: of('producedBlocks'),
    missedBlocks: of('missedBlocks'),
    isResigned: of('isResigned'),
  };
};

export const lockFactor = ({ transactionId, senderAddress, recipientAddress, amount }: Lock): Factor =>
  factorOf(`lock\t${transactionId}\t${senderAddress}\t${recipientAddress}\t${amount}`);
