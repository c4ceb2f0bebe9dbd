import {
  NEW_DELEGATE,
  type Account,
  type DelegateValue,
  type Lock,
  type Registration,
} from '../ledger/state.js';
import { factorOf, type Factor } from './lanes.js';

/** The factor of an account's texts. With it, an account changes the sum even if all its amounts are 0. */
export const accountTexts = ({ address, publicKey, vote }: Account): Factor =>
  factorOf(`account\t${address}\t${publicKey ?? ''}\t${vote ?? ''}`);

export const balanceFactor = (address: string): Factor => factorOf(`balance\t${address}`);

export const lockedFactor = (address: string): Factor => factorOf(`locked\t${address}`);

export const registrationTexts = (registration: Registration): Factor => {
  const { publicKey, address, registeredHeight, registeredSequence, username } = registration;
  return factorOf(
    `delegate\t${publicKey}\t${address}\t${registeredHeight}\t${registeredSequence}\t${username}`,
  );
};

export const DELEGATE_VALUES = Object.keys(NEW_DELEGATE) as DelegateValue[];

export type DelegateFactors = Readonly<Record<DelegateValue, Factor>>;

export const delegateFactors = (publicKey: string): DelegateFactors =>
  Object.fromEntries(
    DELEGATE_VALUES.map((value) => [value, factorOf(`${value}\t${publicKey}`)]),
  ) as DelegateFactors;

export const lockFactor = ({ transactionId, senderAddress, recipientAddress, amount }: Lock): Factor =>
  factorOf(`lock\t${transactionId}\t${senderAddress}\t${recipientAddress}\t${amount}`);
