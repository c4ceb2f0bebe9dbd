import { promisify } from 'node:util';
import { gzip } from 'node:zlib';

/** Where a line of an archive begins. */
export interface Place {
  /** The line's number, from 1. */
  readonly line: number;
  /** Its first byte in the file; in a gzipped file, the first byte of its member. */
  readonly offset: number;
}

const LEVEL = 6;
const PLAIN_HEADER_BYTES = 10;

/**
 * How a member with a place begins (RFC 1952): the extra field has one subfield, "RH", with the member's own offset
 * (64 bits, little-endian) and the number of its first line (32 bits). Everything up to there is the same for all.
 */
const OPENING = Buffer.from([0x1f, 0x8b, 8, 4, 0, 0, 0, 0, 0, 0xff, 16, 0, 0x52, 0x48, 12, 0]);

/** The length of such a header. */
export const HEADER_BYTES = OPENING.length + 12;

/**
 * Compresses whole lines into a gzip member that says where it is, so that a reader finds it from anywhere in the file.
 * The members of an archive, one after the other, are an ordinary gzipped file.
 */
export const gzipMember = async (lines: Buffer, { line, offset }: Place, level = LEVEL): Promise<Buffer> => {
  const header = Buffer.alloc(HEADER_BYTES);
  OPENING.copy(header);
  header.writeBigUInt64LE(BigInt(offset), OPENING.length);
  header.writeUInt32LE(line, OPENING.length + 8);
  const packed = await promisify(gzip)(lines, { level });
  return Buffer.concat([header, packed.subarray(PLAIN_HEADER_BYTES)]);
};

/**
 * The place of the member that begins at `at`; `base` is the offset of the bytes in the file. Null if none begins there:
 * compressed data may look like a header, but does not state the offset at which it is.
 */
const placeAt = (bytes: Buffer, at: number, base: number): Place | null => {
  if (at + HEADER_BYTES > bytes.length) return null;
  const offset = base + at;
  if (bytes.readBigUInt64LE(at + OPENING.length) !== BigInt(offset)) return null;
  return { line: bytes.readUInt32LE(at + OPENING.length + 8), offset };
};

/** The first member that begins in the bytes, which begin at offset `base` of the file. */
export const firstMemberIn = (bytes: Buffer, base: number): Place | null => {
  for (let at = bytes.indexOf(OPENING); at !== -1; at = bytes.indexOf(OPENING, at + 1)) {
    const place = placeAt(bytes, at, base);
    if (place !== null) return place;
  }
  return null;
};
