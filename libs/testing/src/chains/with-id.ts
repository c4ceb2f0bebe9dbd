import { serialise } from '@roundhouse/blocks';
import {
  CORE_TYPE_GROUP,
  payloadOf,
  sha256,
  TransactionType,
  type FindPayload,
  type Transaction,
} from '@roundhouse/chain';

/** A placeholder in the form of an id. */
const NO_ID = '00'.repeat(32);

/** An unknown type has the payload of a transfer, so its id depends on its fields, too. */
const payloadOfAll: FindPayload = (form) =>
  payloadOf(form) ?? payloadOf({ ...form, typeGroup: CORE_TYPE_GROUP, type: TransactionType.Transfer });

/** The transaction with the id that its fields give in a network. Throws `UnserialisableError`. */
export const withId = (draft: Omit<Transaction, 'id'>, pubKeyHash: number): Transaction => {
  const { signature, secondSignature, signatures } = draft;
  const unsigned = serialise({ id: NO_ID, ...draft }, pubKeyHash, payloadOfAll)!;
  const signed = [signature ?? '', secondSignature ?? '', ...(signatures ?? [])].join('');
  const id = sha256(Buffer.concat([unsigned, Buffer.from(signed, 'hex')])).toString('hex');
  return { ...draft, id };
};
