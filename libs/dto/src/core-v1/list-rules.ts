import { address, anyValue, integer, nodeQuery, publicKey, text } from './parameters.js';

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
  amount: integer(0, 10 ** 8),
  fee: integer(0, 10 ** 8),
  id,
  version: int4,
  sequence: int4,
  timestamp: int4,
  asset: text({ format: ['json', isJson] }),
  vendorFieldHex: anyValue,
  serialized: anyValue,
  block_id: anyValue,
  sender_public_key: anyValue,
  recipient_id: anyValue,
  vendor_field_hex: anyValue,
}) {}

export class BlocksQuery extends nodeQuery({
  limit,
  orderBy: text(),
  offset,
  generatorPublicKey: publicKey,
  totalAmount: integer(0),
  totalFee: integer(0),
  reward: integer(0),
  previousBlock: id,
  height: int4,
  id,
  version: int4,
  timestamp: int4,
  numberOfTransactions: int4,
  payloadLength: int4,
  payloadHash: anyValue,
  blockSignature: anyValue,
  previous_block: anyValue,
  number_of_transactions: int4,
  total_amount: integer(),
  total_fee: integer(),
  payload_length: int4,
  payload_hash: anyValue,
  generator_public_key: anyValue,
  block_signature: anyValue,
}) {}
