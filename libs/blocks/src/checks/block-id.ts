import { ByteWriter, EMPTY_PAYLOAD_HASH, type Block, type BlockHeader, sha256As } from '@roundhouse/chain';

/** What the bytes of a header are made of. */
type UnsignedHeader = Omit<BlockHeader, 'id' | 'blockSignature'>;

const FULL_ID_DIGITS = 64;
const LONG_NO_ID = '00'.repeat(32);

const writer = new ByteWriter();

/**
 * The serialised header without its signature (protocol.md, "Blocks"). The id of the previous block keeps its own form:
 * 32 bytes for hex, 8 big-endian bytes for decimal text. The result is valid until the next call.
 */
const writeHeader = (header: UnsignedHeader, previousBlock = header.previousBlock): ByteWriter => {
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

/** The first 8 bytes of a hash, read little-endian, as decimal text. */
const shortIdOf = (hash: string): string => Buffer.from(hash, 'hex').readBigUInt64LE().toString();

/**
 * The id that a header's contents give (protocol.md, "Blocks"), before any exception: the SHA-256 of header and
 * signature as hex, or its first 8 bytes read little-endian as decimal text. The genesis block is hashed without its
 * signature.
 */
export const computeBlockId = (header: Omit<BlockHeader, 'id'>, idFullSha256: boolean): string => {
  const bytes = writeHeader(header);
  if (header.height > 1) bytes.hex(header.blockSignature);
  const hash = sha256As('hex', bytes.result());
  return idFullSha256 ? hash : shortIdOf(hash);
};

/**
 * Like `computeBlockId`. The full id of a genesis block may be that of either form of its header: Core 3 makes them with
 * 32 zeros in place of a previous id, older tools with 8.
 */
export const idOfContents = (block: BlockHeader, idFullSha256: boolean): string => {
  const ofCore3 = (): string => sha256As('hex', writeHeader(block, LONG_NO_ID).result());
  if (idFullSha256 && block.height === 1 && ofCore3() === block.id) return block.id;
  return computeBlockId(block, idFullSha256);
};

/** SHA-256 over the raw bytes of the transaction ids, in payload order, as hex. */
export const computePayloadHash = (transactionIds: readonly string[]): string => {
  if (transactionIds.length === 0) return EMPTY_PAYLOAD_HASH;
  writer.begin();
  for (const id of transactionIds) writer.hex(id);
  return sha256As('hex', writer.result());
};

/** The payload hash that a block's transactions give. */
export const payloadHashOf = ({ transactions }: Block): string =>
  computePayloadHash(transactions.map(({ id }) => id));
