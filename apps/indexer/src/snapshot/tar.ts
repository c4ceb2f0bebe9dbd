import type { FileHandle } from 'node:fs/promises';

// The format "ustar" of POSIX.1-1988, which every tar reads: before each file a header of 512 bytes, after it zeros up to
// a multiple of 512, and two blocks of zeros at the end. A size from 8 GiB on is written as GNU tar does: a byte 0x80, then
// the number with the highest byte first.

const BLOCK_BYTES = 512;
const NAME_BYTES = 100;
const SIZE_AT = 124;
const SIZE_DIGITS = 11;
/** The first four bytes of a size of GNU tar. */
const BINARY = 0x80_00_00_00;
const CHECKSUM_AT = 148;
const CHECKSUM_END = 156;
const MAGIC_AT = 257;
/** GNU tar writes spaces behind it. */
const MAGIC = 'ustar';

const paddedTo = (bytes: number): number => Math.ceil(bytes / BLOCK_BYTES) * BLOCK_BYTES;

/**
 * The sum of all bytes, those of the checksum itself counted as spaces, as every tar writes it; other spellings are refused, so
 * that no byte of a header can change.
 */
const checksumText = (header: Buffer): string => {
  const counted = Buffer.from(header).fill(' ', CHECKSUM_AT, CHECKSUM_END);
  const sum = counted.reduce((total, byte) => total + byte, 0);
  return `${sum.toString(8).padStart(6, '0')}\0 `;
};

/** Where a file of an archive is. */
export interface TarEntry {
  readonly name: string;
  readonly at: number;
  readonly size: number;
}

export type TarIndex =
  /** All files, in order. */
  | { readonly kind: 'whole'; readonly entries: readonly TarEntry[] }
  /** The archive ends too early, or has no header where one must be. */
  | { readonly kind: 'truncated' | 'damaged'; readonly at: number };

const textOf = (header: Buffer, at: number, bytes: number): string =>
  header.toString('latin1', at, at + bytes).split('\0')[0]!;

/** Null if there is no size. */
const sizeOf = (header: Buffer): number | null => {
  if (header.readUInt32BE(SIZE_AT) === BINARY) return Number(header.readBigUInt64BE(SIZE_AT + 4));
  const text = textOf(header, SIZE_AT, SIZE_DIGITS);
  return /^[0-7]+$/.test(text) ? Number.parseInt(text, 8) : null;
};

/** Null if these bytes are no header. */
const entryOf = (header: Buffer, at: number): TarEntry | null => {
  const checksum = header.toString('latin1', CHECKSUM_AT, CHECKSUM_END);
  if (checksum !== checksumText(header) || textOf(header, MAGIC_AT, MAGIC.length) !== MAGIC) return null;
  const size = sizeOf(header);
  return size === null ? null : { name: textOf(header, 0, NAME_BYTES), at: at + BLOCK_BYTES, size };
};

/** All that is left of the file if it ends earlier. */
const readAt = async (file: FileHandle, at: number, bytes: number): Promise<Buffer> => {
  const { buffer, bytesRead } = await file.read(Buffer.alloc(bytes), 0, bytes, at);
  return buffer.subarray(0, bytesRead);
};

const isZero = (bytes: Buffer): boolean => bytes.every((byte) => byte === 0);

/** Lists the files of an archive; reads everything but the files. */
export const readTarIndex = async (file: FileHandle): Promise<TarIndex> => {
  const { size } = await file.stat();
  const entries: TarEntry[] = [];
  let at = 0;
  for (;;) {
    const header = await readAt(file, at, BLOCK_BYTES);
    if (header.length < BLOCK_BYTES) return { kind: 'truncated', at: size };
    if (isZero(header)) break;
    const entry = entryOf(header, at);
    if (entry === null) return { kind: 'damaged', at };
    entries.push(entry);
    const end = entry.at + entry.size;
    at = entry.at + paddedTo(entry.size);
    if (at > size) return { kind: 'truncated', at: size };
    if (!isZero(await readAt(file, end, at - end))) return { kind: 'damaged', at: end };
  }
  if (at + 2 * BLOCK_BYTES > size) return { kind: 'truncated', at: size };
  // Programs may add further zeros after the two blocks of the end.
  for (; at < size; at += BLOCK_BYTES)
    if (!isZero(await readAt(file, at, BLOCK_BYTES))) return { kind: 'damaged', at };
  return { kind: 'whole', entries };
};
