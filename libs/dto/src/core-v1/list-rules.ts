import { address, anyValue, integer, nodeQuery, publicKey, text, type NodeRule } from './parameters.js';

// The rules of lists with filters, in the order in which a node checks them. Rules that only keep a
// value from PostgreSQL stand last: a node checks nothing there, and its database fails.

/** For columns of 32 bits. */
const int4 = integer(-2_147_483_647, 2_147_483_647);

const limit = integer(0, 100);
const offset = integer(0, Number.MAX_SAFE_INTEGER);

/** Text that a database can hold. */
const id = text({ format: ['text', (value) => !value.includes('\0')] });

const isJson = (value: string): boolean => {
  try {
    JSON.parse(value);
    return true;
  } catch {
    return false;
  }
};

/** One rule for several parameters. */
const each = <R extends NodeRule, Name extends string>(rule: R, ...names: Name[]) =>
  Object.fromEntries(names.map((name) => [name, rule])) as Readonly<Record<Name, R>>;

export class TransactionsQuery extends nodeQuery({
  blockId: id,
  limit,
  type: integer(0, 10),
  orderBy: text(),
  offset,
  senderPublicKey: publicKey,
  vendorField: text({ format: ['vendorField', (value) => Buffer.byteLength(value) <= 64] }),
  ownerPublicKey: publicKey,
  ownerAddress: text(),
  senderId: address,
  recipientId: address,
  ...each(integer(0, 10 ** 8), 'amount', 'fee'),
  id,
  ...each(int4, 'version', 'sequence', 'timestamp'),
  asset: text({ format: ['json', isJson] }),
  ...each(anyValue, 'vendorFieldHex', 'serialized'),
  ...each(anyValue, 'block_id', 'sender_public_key', 'recipient_id', 'vendor_field_hex'),
}) {}

export class BlocksQuery extends nodeQuery({
  limit,
  orderBy: text(),
  offset,
  generatorPublicKey: publicKey,
  ...each(integer(0), 'totalAmount', 'totalFee', 'reward'),
  previousBlock: id,
  height: int4,
  id,
  ...each(int4, 'version', 'timestamp', 'numberOfTransactions', 'payloadLength'),
  ...each(anyValue, 'payloadHash', 'blockSignature', 'previous_block'),
  number_of_transactions: int4,
  ...each(integer(), 'total_amount', 'total_fee'),
  payload_length: int4,
  ...each(anyValue, 'payload_hash', 'generator_public_key', 'block_signature'),
}) {}
