import { isSigned, problemOfAccountSignatures, type HashWith } from '@roundhouse/blocks';
import { CORE_TYPE_GROUP, typeOf, type Transaction } from '@roundhouse/chain';
import { costOf, transactionHash, UNSIGNED, type Draft, type Signatures } from '@roundhouse/forging';
import { coreRules } from './core-rules.js';
import { RejectedTransactionError } from './rejected-transaction.error.js';

const refuse = (code: string, message: string): never => {
  throw new RejectedTransactionError(code, message);
};

const assertSigned = (transaction: Transaction, { state }: Draft): void => {
  const { senderPublicKey: publicKey, signature, secondSignature, signatures } = transaction;
  const { publicKeys } = transaction.asset?.multiSignature ?? {};
  if (publicKeys !== undefined && signatures?.length !== publicKeys.length)
    refuse('ERR_BAD_DATA', 'Not all members of the multi-signature account have signed its registration.');
  const hashOf = (given: Signatures): Buffer => transactionHash(transaction, given);
  const bySender = hashOf(UNSIGNED);
  const keys = state.accountOf(state.addressOf(publicKey));
  const isBySender =
    signature === null ||
    signatures !== null ||
    isSigned({ hash: bySender, signature: Buffer.from(signature, 'hex'), publicKey });
  const hashWith: HashWith = (including) =>
    hashOf({
      signature: including.signature ? signature : null,
      secondSignature: including.secondSignature ? secondSignature : null,
      signatures: including.signatures ? signatures : null,
    });
  const problem = problemOfAccountSignatures(transaction, keys, hashWith, false);
  if (!isBySender || problem !== null) refuse('ERR_BAD_DATA', 'The signatures do not verify.');
};

/** Returns the id of the contents. */
const computeId = (transaction: Transaction): string => {
  try {
    return transactionHash(transaction, transaction).toString('hex');
  } catch (error) {
    return refuse('ERR_BAD_DATA', (error as Error).message);
  }
};

/**
 * Throws `RejectedTransactionError` unless the transaction could be appended to the draft: checks its id, signatures
 * and nonce, the sender's balance, and the rules of its type.
 */
export const assertAcceptable = (transaction: Transaction, draft: Draft): void => {
  const { id, version, network, typeGroup, type, senderPublicKey, nonce, fee, expiration } = transaction;
  const { pubKeyHash } = draft.state.network;
  if (version !== 2 || network !== pubKeyHash) {
    refuse('ERR_WRONG_NETWORK', `This chain takes version 2 transactions of network ${pubKeyHash}.`);
  }
  if (draft.has(id)) refuse('ERR_DUPLICATE', 'The transaction is already in the pool.');
  if (computeId(transaction) !== id) refuse('ERR_BAD_DATA', 'The id does not match the contents.');
  const sender = draft.state.addressOf(senderPublicKey);
  const next = draft.nextNonceOf(sender);
  if (nonce !== next) refuse('ERR_APPLY', `The nonce is ${nonce}, but the sender's next is ${next}.`);
  if (draft.spendableOf(sender) < costOf(transaction))
    refuse('ERR_APPLY', `Insufficient balance in ${sender}.`);
  assertSigned(transaction, draft);
  if (typeGroup === CORE_TYPE_GROUP) coreRules[type]?.({ transaction, sender, draft });
  const isFree = typeOf(transaction)?.isFree ?? false;
  if (isFree ? fee !== 0n : fee === 0n)
    refuse('ERR_LOW_FEE', isFree ? 'This type costs no fee.' : 'The fee must be above 0.');
  if (expiration !== 0 && expiration <= draft.state.height + 1)
    refuse('ERR_EXPIRED', `The transaction expired at height ${expiration}.`);
};
