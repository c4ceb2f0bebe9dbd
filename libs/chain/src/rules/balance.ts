import type { TrackedAccount } from '../ledger/tracked.js';
import type { Transaction } from '../transactions/transaction.js';
import type { BlockCheck } from './block-check.js';

/** A negative balance that the network's exceptions list for this transaction of the sender. */
const isListedBalance = (
  { ledger }: BlockCheck,
  { publicKey, nonce }: TrackedAccount,
  balance: bigint,
): boolean => {
  const listed = ledger.network.exceptions.negativeBalances?.[publicKey!]?.[`${nonce + 1}`];
  return listed !== undefined && BigInt(listed) === balance;
};

/** Throws unless the sender can pay for a transaction, by the amount that leaves its balance. */
export const checkBalance = (
  check: BlockCheck,
  transaction: Transaction,
  sender: TrackedAccount,
  cost: bigint,
): void => {
  const left = sender.balance - cost;
  if (left >= 0n || isListedBalance(check, sender, left)) return;
  // Core 2.0 to 2.2 looked at no balance of an account with members.
  const isDoubtful = transaction.version === 1 && sender.multiSignature !== null;
  const problem = `costs ${cost}, but its sender ${sender.address} has only ${sender.balance}`;
  check.broken('balance', problem, transaction, isDoubtful);
};
