import { multiSignatureKeyOf, sha256, TransactionType, type Transaction } from '@roundhouse/chain';
import { MAX_PAYMENTS, type Draft } from '@roundhouse/forging';
import { RejectedTransactionError } from './rejected-transaction.error.js';

interface Candidate {
  readonly transaction: Transaction;
  /** Address. */
  readonly sender: string;
  readonly draft: Draft;
}

type Rule = (candidate: Candidate) => void;

const demand = (holds: boolean, message: string): void => {
  if (!holds) throw new RejectedTransactionError('ERR_APPLY', message);
};

const transfer: Rule = ({ transaction }) => {
  demand(transaction.amount > 0n, 'The amount must be above 0.');
};

const demandNoMembers: Rule = ({ sender, draft }) => {
  demand(draft.state.accountOf(sender).multiSignature === null, 'An account with members cannot do this.');
};

const secondSignature: Rule = (candidate) => {
  const { sender, draft } = candidate;
  demandNoMembers(candidate);
  demand(
    draft.state.accountOf(sender).secondPublicKey === null,
    'The account already has a second signature.',
  );
};

const delegateRegistration: Rule = (candidate) => {
  const { transaction, draft } = candidate;
  demandNoMembers(candidate);
  const username = transaction.asset?.username ?? '';
  demand(/^[a-z0-9!@$&_.]{1,20}$/.test(username), 'The username has characters that are not allowed.');
  demand(!draft.isTaken(username), 'The username is taken.');
  demand(
    !draft.state.ledger.delegates.has(transaction.senderPublicKey),
    'The account is already a delegate.',
  );
};

const vote: Rule = ({ transaction, sender, draft }) => {
  let current = draft.state.accountOf(sender).vote;
  const votes = transaction.asset?.votes ?? [];
  demand(votes.length === 1 || votes.length === 2, 'A vote transaction has one or two votes.');
  for (const each of votes) {
    const publicKey = each.slice(1);
    const delegate = draft.state.ledger.delegates.get(publicKey);
    demand(delegate !== undefined, 'Only delegates can be voted for.');
    if (each.startsWith('+')) {
      demand(current === null, 'The account already votes; remove that vote first.');
      demand(!draft.isResigned(publicKey), 'The delegate has resigned.');
      current = publicKey;
    } else {
      demand(current === publicKey, 'The account does not vote for this delegate.');
      current = null;
    }
  }
};

const multiSignature: Rule = ({ transaction, draft }) => {
  const asset = transaction.asset?.multiSignature;
  const { state } = draft;
  const publicKey = asset === undefined ? null : multiSignatureKeyOf(asset);
  demand(publicKey !== null, 'These members cannot have an account.');
  demand(
    publicKey !== null &&
      !state.multiSignatures.has(state.addressOf(publicKey)) &&
      !draft.isShared(publicKey),
    'The multi-signature account is already registered.',
  );
};

const multiPayment: Rule = ({ transaction }) => {
  const payments = transaction.asset?.payments ?? [];
  const { length } = payments;
  demand(length >= 2 && length <= MAX_PAYMENTS, `A multi-payment has 2 to ${MAX_PAYMENTS} payments.`);
  demand(
    payments.every(({ amount }) => amount > 0n),
    'Each amount must be above 0.',
  );
};

const delegateResignation: Rule = ({ transaction, draft }) => {
  const { delegates } = draft.state.ledger;
  demand(
    delegates.get(transaction.senderPublicKey)?.isResigned === false,
    'The account is not a delegate, or has resigned.',
  );
  const eligible = [...delegates.values()].filter((delegate) => !delegate.isResigned).length;
  demand(eligible - draft.resignations > draft.state.activeDelegates, 'Too few delegates would be left.');
};

const htlcLock: Rule = ({ transaction, draft }) => {
  demand(transaction.amount > 0n, 'The amount must be above 0.');
  const expiration = transaction.asset?.lock?.expiration;
  demand(expiration !== undefined && !draft.state.isExpired(expiration), 'The lock has already expired.');
};

const htlcClaim: Rule = ({ transaction, draft }) => {
  const { lockTransactionId = '', unlockSecret = '' } = transaction.asset ?? {};
  const lock = draft.isOpen(lockTransactionId) ? draft.state.locks.get(lockTransactionId) : undefined;
  demand(lock !== undefined, 'There is no such open lock.');
  if (!lock) return;
  demand(!draft.state.isExpired(lock.expiration), 'The lock has expired.');
  demand(
    sha256(Buffer.from(unlockSecret, 'hex')).toString('hex') === lock.secretHash,
    'The secret is wrong.',
  );
};

const htlcRefund: Rule = ({ transaction, draft }) => {
  const { lockTransactionId = '' } = transaction.asset ?? {};
  const lock = draft.isOpen(lockTransactionId) ? draft.state.locks.get(lockTransactionId) : undefined;
  demand(lock !== undefined, 'There is no such open lock.');
  demand(lock !== undefined && draft.state.isExpired(lock.expiration), 'The lock has not expired.');
};

/** For types whose rules depend on the sender: a second one in the same block cannot be checked against the head. */
const oncePerBlock =
  (rule: Rule): Rule =>
  (candidate) => {
    const { sender, draft, transaction } = candidate;
    demand(
      !draft.hasSent(sender, transaction.type),
      'Only one such transaction per account and block; wait for a block.',
    );
    rule(candidate);
  };

/** The rules of each type, in addition to signatures and costs. All are checked against the head. */
export const coreRules: Readonly<Record<number, Rule>> = {
  [TransactionType.Transfer]: transfer,
  [TransactionType.SecondSignature]: oncePerBlock(secondSignature),
  [TransactionType.DelegateRegistration]: oncePerBlock(delegateRegistration),
  [TransactionType.Vote]: oncePerBlock(vote),
  [TransactionType.MultiSignature]: oncePerBlock(multiSignature),
  [TransactionType.MultiPayment]: multiPayment,
  [TransactionType.DelegateResignation]: oncePerBlock(delegateResignation),
  [TransactionType.HtlcLock]: htlcLock,
  [TransactionType.HtlcClaim]: htlcClaim,
  [TransactionType.HtlcRefund]: htlcRefund,
};
