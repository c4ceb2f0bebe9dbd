import { addressBytes } from '../accounts/address.js';
import { membersOf, multiSignatureKeyOf } from '../accounts/multi-signature.js';
import type { TrackedAccount } from '../ledger/tracked.js';
import { MAGISTRATE_TYPE_GROUP, type Transaction } from '../transactions/transaction.js';
import { movesAmount, typeOf } from '../types/index.js';
import { checkBalance, type BlockCheck } from './block-check.js';

const checkVersion = (check: BlockCheck, transaction: Transaction): void => {
  const { aip11, hasNonces } = check.constants;
  // In the first block of AIP 11, nodes still want version 1.
  const { version } = transaction;
  if (version === 1 && aip11 && hasNonces && check.constantsBelow.aip11)
    check.broken('transaction-version', 'has version 1, but AIP 11 is in force', transaction);
  if (version > 1 && !aip11)
    check.broken('transaction-version', `has version ${version}, but AIP 11 is not in force`, transaction);
};

const checkFee = (check: BlockCheck, transaction: Transaction): void => {
  const { fee, typeGroup, type } = transaction;
  const definition = typeOf(transaction);
  if (definition === undefined) {
    const { mostUnknownFee } = check.rules;
    if (fee > mostUnknownFee)
      check.broken(
        'unknown-fee',
        `is of unknown type ${typeGroup}/${type} and costs ${fee}; MAX_UNKNOWN_FEE is ${mostUnknownFee}`,
        transaction,
      );
  } else if (definition.isFree ? fee !== 0n : fee === 0n)
    check.broken(
      'fee',
      definition.isFree ? `costs ${fee}, but its type is free` : 'costs no fee',
      transaction,
      // Core 2.6 to 3.9 ask no fee of businesses and bridgechains.
      typeGroup === MAGISTRATE_TYPE_GROUP,
    );
};

/** How old a transaction of version 1 may be in its block, and how far ahead of it, in seconds (Core 2.5 to 3.9, `Block.verify`). */
const MOST_AGE_S = 21_600;
const MOST_AHEAD_S = 3_600;

const checkTimestamp = (check: BlockCheck, transaction: Transaction): void => {
  const { block, constants } = check;
  const { version, timestamp } = transaction;
  if (version !== 1 || timestamp === null || !constants.checksTimestamps) return;
  const age = block.timestamp - timestamp;
  if (age <= MOST_AGE_S && age >= -MOST_AHEAD_S - constants.blocktime) return;
  check.broken(
    'transaction-time',
    `has the timestamp ${timestamp}, but that of its block is ${block.timestamp}`,
    transaction,
  );
};

const checkExpiration = (check: BlockCheck, transaction: Transaction): void => {
  const { expiration } = transaction;
  if (expiration === 0 || expiration > check.height || typeOf(transaction) === undefined) return;
  const { ledger, constants } = check;
  if (ledger.network.name === 'devnet' && constants.ignoresExpirations) return;
  check.broken('expiration', `has expired at height ${expiration}`, transaction);
};

/** The first mention of an address decides: Core accepts an address of any network in a block. */
const checkRecipient = (check: BlockCheck, transaction: Transaction): void => {
  const { ledger } = check;
  const { recipientId } = transaction;
  if (recipientId === null || ledger.accounts.get(recipientId)?.exists) return;
  const network = addressBytes(recipientId)?.[0];
  if (network !== undefined && network !== ledger.network.pubKeyHash)
    check.broken(
      'recipient-network',
      `sends to ${recipientId}, an address of network ${network}`,
      transaction,
    );
};

/** Nodes take nothing more of them. Core 2.4 and 2.5, which have no nonces, fail in another way (Core 2.6 to 3.9, `performGenericWalletChecks`). */
const checkMembers = (check: BlockCheck, transaction: Transaction, sender: TrackedAccount): void => {
  const { version, nonce } = transaction;
  if (version === 1 || sender.multiSignature === null) return;
  if (multiSignatureKeyOf(membersOf(sender.multiSignature)) === sender.publicKey) return;
  check.broken(
    'members',
    'is sent by an account to which version 1 gave members',
    transaction,
    nonce === null,
  );
};

/** The rules for transactions of any type, then those of its own. The sender has not paid yet. */
export const checkTransaction = (
  check: BlockCheck,
  transaction: Transaction,
  sender: TrackedAccount,
): void => {
  const { nonce, amount, fee } = transaction;
  checkVersion(check, transaction);
  checkFee(check, transaction);
  checkExpiration(check, transaction);
  checkTimestamp(check, transaction);
  checkRecipient(check, transaction);
  checkMembers(check, transaction, sender);
  if (nonce !== null && nonce !== BigInt(sender.nonce + 1))
    check.broken('nonce', `has nonce ${nonce}, but ${sender.nonce + 1} is next`, transaction);
  const moved = movesAmount(transaction, check.ledger.network) ? amount : 0n;
  checkBalance(check, transaction, sender, moved + fee);
  const definition = typeOf(transaction);
  if (definition === undefined) return;
  if (!definition.hasAmount && amount !== 0n)
    check.broken('amount', `has an amount of ${amount}, but its type moves none`, transaction);
  // In version 1, Core 2.0 to 2.2 accept a transfer of nothing.
  if (definition.hasAmount && amount === 0n)
    check.broken('amount', 'moves an amount of 0', transaction, transaction.version === 1);
  definition.check?.(transaction, sender, check);
};
