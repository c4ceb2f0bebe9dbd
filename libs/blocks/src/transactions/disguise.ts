import {
  addressOf,
  decodeAsset,
  KNOWN_TYPES,
  rawAsset,
  ShapeError,
  UnserialisableError,
  type KnownType,
  type Transaction,
} from '@roundhouse/chain';
import { bytesAs } from './other-bytes.js';

/**
 * The known type for which the id is right, although the source states an unknown type. Null if there is none. All fields
 * are kept of an unknown type, except that the API of Core 2.x shows its sender if it has no recipient.
 */
const disguised = (
  transaction: Transaction,
  pubKeyHash: number,
  idOf: (bytes: Uint8Array) => string,
): KnownType | null => {
  const { id, amount, expiration, senderPublicKey } = transaction;
  const recipientId = transaction.recipientId ?? addressOf(senderPublicKey, pubKeyHash);
  const isOf = (known: KnownType): boolean => {
    try {
      const given = transaction.asset && (transaction.asset.other ?? rawAsset(known, transaction.asset));
      const asset = decodeAsset({ asset: given }, known.typeGroup, known.type);
      const fields = { amount, expiration, recipientId, asset };
      return idOf(bytesAs(known, transaction, pubKeyHash, fields)) === id;
    } catch (error) {
      if (error instanceof ShapeError || error instanceof UnserialisableError) return false;
      throw error;
    }
  };
  return KNOWN_TYPES.find(isOf) ?? null;
};

/** What is wrong with a transaction of an unknown type, to follow its id in a sentence; null if nothing is. */
export const problemOfUnknown = (
  transaction: Transaction,
  pubKeyHash: number,
  idOf: (bytes: Uint8Array) => string,
): string | null => {
  const kind = `type ${transaction.type} of type group ${transaction.typeGroup}`;
  // Types that Core itself does not have are newer than nonces, so every transaction of such a type has a nonce.
  if (transaction.nonce === null) return `is of ${kind} but has no nonce, a form that no node knows`;
  const known = disguised(transaction, pubKeyHash, idOf);
  return known && `is of type ${known.type} of type group ${known.typeGroup}, but is given as ${kind}`;
};
