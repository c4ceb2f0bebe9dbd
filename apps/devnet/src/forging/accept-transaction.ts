import { CORE_TYPE_GROUP, TransactionType, type MultiSignature } from '@roundhouse/chain';
import { verifyEcdsa } from '../keys/ecdsa.js';
import { verifySchnorr } from '../keys/schnorr.js';
import type { RawTransaction, Signatures } from '../transactions/raw-transaction.js';
import { transactionHash } from '../transactions/serialise.js';
import { coreRules } from './core-rules.js';
import { costOf, type Draft } from './draft.js';
import { RejectedTransactionError } from './rejected-transaction.error.js';

const SCHNORR_CHARACTERS = 128;

const refuse = (code: string, message: string): never => {
  throw new RejectedTransactionError(code, message);
};

const verify = (hash: Buffer, signature: string, publicKey: string): boolean =>
  signature.length === SCHNORR_CHARACTERS
    ? verifySchnorr(hash, signature, publicKey)
    : verifyEcdsa(hash, signature, publicKey);

/** The number of different members who have signed; wrong signatures do not count. */
const countMembers = (transaction: RawTransaction, { publicKeys }: MultiSignature): number => {
  const hash = transactionHash(transaction, {});
  const signed = (transaction.signatures ?? []).map((part) => {
    const index = Number.parseInt(part.slice(0, 2), 16);
    const publicKey = publicKeys[index];
    return publicKey !== undefined && verifySchnorr(hash, part.slice(2), publicKey) ? index : null;
  });
  return new Set(signed.filter((index) => index !== null)).size;
};

const isSignedBySender = (transaction: RawTransaction, draft: Draft): boolean => {
  const { senderPublicKey, signature, secondSignature, signatures } = transaction;
  const { multiSignature, secondPublicKey } = draft.state.wallets.of(draft.state.addressOf(senderPublicKey));
  if (multiSignature) return countMembers(transaction, multiSignature) >= multiSignature.min;
  if (signature === undefined) return false;
  const members: Signatures = signatures ? { signatures } : {};
  if (!verify(transactionHash(transaction, members), signature, senderPublicKey)) return false;
  if (secondPublicKey === null) return secondSignature === undefined;
  if (secondSignature === undefined) return false;
  return verify(transactionHash(transaction, { signature, ...members }), secondSignature, secondPublicKey);
};

/** All members must sign the registration. */
const assertMembersAgree = (transaction: RawTransaction): void => {
  const registered = transaction.asset?.multiSignature;
  if (!registered || transaction.type !== TransactionType.MultiSignature) return;
  if (countMembers(transaction, registered) < registered.publicKeys.length) {
    refuse('ERR_BAD_DATA', 'Not all members of the multi-signature account have signed its registration.');
  }
};

/** Returns the id of the contents. */
const computeId = (transaction: RawTransaction): string => {
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
export const assertAcceptable = (transaction: RawTransaction, draft: Draft): void => {
  const { id, version, network, typeGroup, type, senderPublicKey, nonce } = transaction;
  const { pubKeyHash } = draft.state.network;
  if (version !== 2 || network !== pubKeyHash) {
    refuse('ERR_WRONG_NETWORK', `This chain takes version 2 transactions of network ${pubKeyHash}.`);
  }
  if (draft.has(id)) refuse('ERR_DUPLICATE', 'The transaction is already in the pool.');
  if (computeId(transaction) !== id) refuse('ERR_BAD_DATA', 'The id does not match the contents.');
  const sender = draft.state.addressOf(senderPublicKey);
  const next = draft.nextNonceOf(sender);
  if (BigInt(nonce) !== next) refuse('ERR_APPLY', `The nonce is ${nonce}, but the sender's next is ${next}.`);
  if (draft.spendableOf(sender) < costOf(transaction))
    refuse('ERR_APPLY', `Insufficient balance in ${sender}.`);
  assertMembersAgree(transaction);
  if (!isSignedBySender(transaction, draft)) refuse('ERR_BAD_DATA', 'The signatures do not verify.');
  if (typeGroup === CORE_TYPE_GROUP) coreRules[type]?.({ transaction, sender, draft });
};
