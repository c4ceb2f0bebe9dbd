import {
  ByteWriter,
  EMPTY_PAYLOAD_HASH,
  InvalidBlockError,
  isExcepted,
  NO_BLOCK_ID,
  sha256,
  sha256As,
  type Block,
  type BlockHeader,
  type BlockRef,
  type ChainConstants,
} from '@roundhouse/chain';
import {
  checkTransactionIds,
  transactionSignaturesOf,
  type TransactionRules,
} from '../transactions/check-transactions.js';
import { assertGenesis, inListedOrder, withFixedIds, withNetworks } from './rare-blocks.js';
import { isSigned, SCHNORR_BYTES, type Signed } from './signature.js';

/** What the bytes of a header are made of. */
type UnsignedHeader = Omit<BlockHeader, 'id' | 'blockSignature'>;

const FULL_ID_DIGITS = 64;
const LONG_NO_ID = '00'.repeat(32);

const writer = new ByteWriter();

/**
 * The serialised header without its signature (protocol.md, "Blocks"). The id of the previous block keeps its own form:
 * 32 bytes for hex, 8 big-endian bytes for decimal text. The result is valid until the next call.
 */
const writeHeader = (header: UnsignedHeader): ByteWriter => {
  const { previousBlock } = header;
  writer.begin().u32(header.version).u32(header.timestamp).u32(header.height);
  if (previousBlock.length === FULL_ID_DIGITS) writer.hex(previousBlock);
  else writer.hex(BigInt(previousBlock).toString(16).padStart(16, '0'));
  return writer
    .u32(header.numberOfTransactions)
    .u64(header.totalAmount)
    .u64(header.totalFee)
    .u64(header.reward)
    .u32(header.payloadLength)
    .hex(header.payloadHash)
    .hex(header.generatorPublicKey);
};

/** The serialised header, which its generator signs. The result is valid until the next call. */
export const headerBytes = (header: UnsignedHeader): Buffer => writeHeader(header).result();

/**
 * The id that a header's contents give (protocol.md, "Blocks"), before any exception: the SHA-256 of header and
 * signature as hex, or its first 8 bytes read little-endian as decimal text. The genesis block is hashed without its
 * signature.
 */
export const computeBlockId = (header: Omit<BlockHeader, 'id'>, idFullSha256: boolean): string => {
  const bytes = writeHeader(header);
  if (header.height > 1) bytes.hex(header.blockSignature);
  const hash = sha256As('hex', bytes.result());
  return idFullSha256 ? hash : Buffer.from(hash, 'hex').readBigUInt64LE().toString();
};

/**
 * Like `computeBlockId`. The full id of a genesis block may be that of either form of its header: Core 3 makes them with
 * 32 zeros in place of a previous id, older tools with 8.
 */
export const idOfContents = (block: BlockHeader, idFullSha256: boolean): string => {
  const isLong = idFullSha256 && block.height === 1;
  if (isLong && computeBlockId({ ...block, previousBlock: LONG_NO_ID }, true) === block.id) return block.id;
  return computeBlockId(block, idFullSha256);
};

/** SHA-256 over the raw bytes of the transaction ids, in payload order, as hex. */
export const computePayloadHash = (transactionIds: readonly string[]): string => {
  if (transactionIds.length === 0) return EMPTY_PAYLOAD_HASH;
  writer.begin();
  for (const id of transactionIds) writer.hex(id);
  return sha256As('hex', writer.result());
};

/** What a block is checked against: the values of its network, and the constants in force at its height. */
export interface BlockRules extends TransactionRules {
  readonly nethash: string;
  readonly constants: ChainConstants;
}

/** Throws unless `block` links directly to `previous`. If that is null, `block` must be a genesis block. */
export const assertLinked = (
  block: Pick<BlockHeader, 'height' | 'previousBlock'>,
  previous: BlockRef | null,
): void => {
  const { height, previousBlock } = block;
  const wanted = { height: (previous?.height ?? 0) + 1, id: previous?.id ?? NO_BLOCK_ID };
  if (height !== wanted.height)
    throw new InvalidBlockError(height, `height ${height} came instead of height ${wanted.height}`);
  if (previousBlock === wanted.id) return;
  const problem = `its previousBlock is ${previousBlock}, the block before it is ${wanted.id}`;
  throw new InvalidBlockError(height, problem);
};

const totalsProblem = ({ transactions, totalAmount, totalFee }: Block): string | null => {
  let amounts = 0n;
  let fees = 0n;
  for (const { amount, fee } of transactions) {
    amounts += amount;
    fees += fee;
  }
  if (amounts !== totalAmount) return `its totalAmount is ${totalAmount}, but ${amounts} is right`;
  return fees === totalFee ? null : `its totalFee is ${totalFee}, but ${fees} is right`;
};

/** What is wrong with the contents of a block, or null. */
const problemOf = (
  block: Block,
  { exceptions, constants }: BlockRules,
  isReordered: boolean,
): string | null => {
  const { height, id, payloadHash, numberOfTransactions, transactions, reward } = block;
  const computed = idOfContents(block, constants.idFullSha256);
  // If the outlook table lists the block, only the id from the table is valid (Core 3.12, the deserialiser).
  const expectedId = exceptions.outlookTable?.[computed] ?? computed;
  if (expectedId !== id) return `its id is ${id}, but its contents give ${expectedId}`;
  if (transactions.length !== numberOfTransactions)
    return `it states ${numberOfTransactions} transactions, but ${transactions.length} came with it`;
  if (height > 1 && !isReordered) {
    const right = computePayloadHash(transactions.map((transaction) => transaction.id));
    if (payloadHash !== right) return `its payloadHash is ${payloadHash}, but its transactions give ${right}`;
  }
  const totals = totalsProblem(block);
  if (totals !== null) return totals;
  // Tools make genesis blocks without a reward, whatever the first milestone says, and no node looks.
  return height === 1 || reward === constants.reward
    ? null
    : `its reward is ${reward}, but ${constants.reward} is right`;
};

/**
 * Checks a block's id, payload hash and totals, and the ids of its transactions, against its contents
 * (protocol.md, "Blocks", "Transaction ids"). Consults the network's exceptions. Returns the block as a node stores it:
 * with the ids and the order that an exception gives to its transactions, and with their network. Throws
 * `InvalidBlockError`.
 */
export const checkBlock = (received: Block, rules: BlockRules): Block => {
  const { exceptions } = rules;
  const { transactionIdFixTable, wrongTransactionOrder } = exceptions;
  const block = transactionIdFixTable ? withFixedIds(received, transactionIdFixTable) : received;
  const ordered = wrongTransactionOrder ? inListedOrder(block, wrongTransactionOrder) : null;
  if (block.height === 1) assertGenesis(block, rules.nethash);
  const problem = problemOf(block, rules, ordered !== null);
  if (problem !== null && !isExcepted(block, exceptions)) throw new InvalidBlockError(block.height, problem);
  checkTransactionIds(block, rules);
  const stored = ordered ?? block;
  return stored.transactions.some(({ network }) => network === null)
    ? withNetworks(stored, rules.pubKeyHash)
    : stored;
};

export const signatureOf = (header: BlockHeader): Signed => ({
  hash: sha256(headerBytes(header)),
  signature: Buffer.from(header.blockSignature, 'hex'),
  publicKey: header.generatorPublicKey,
});

/** Nodes take only ECDSA for blocks (Core 2.0 to 3.9, `Block.verifySignature`). */
export const isBlockSigned = (header: BlockHeader): boolean => {
  const signed = signatureOf(header);
  return signed.signature.length !== SCHNORR_BYTES && isSigned(signed);
};

/**
 * What is wrong with the signatures of a block whose ids have been checked, under the keys that it names itself; null if
 * nothing is. Those of the network's exceptions and of the genesis block are not verified, as no node does.
 */
export const problemOfBlockSignatures = (block: Block, rules: TransactionRules): string | null => {
  if (block.height > 1 && !isExcepted(block, rules.exceptions) && !isBlockSigned(block))
    return `its blockSignature is not by its generator ${block.generatorPublicKey}`;
  const wrong = transactionSignaturesOf(block, rules).find((signed) => !isSigned(signed));
  if (wrong === undefined) return null;
  return `transaction ${wrong.transactionId} has a signature that is not by ${wrong.publicKey}`;
};
