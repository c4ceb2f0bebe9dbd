import type { Span } from './block-text.js';

/** Bytes, with a view that reads them as words. */
export interface ViewedBytes {
  readonly bytes: Buffer;
  readonly view: DataView;
}

export const viewOf = ({ buffer, byteOffset, byteLength }: Uint8Array): DataView =>
  new DataView(buffer, byteOffset, byteLength);

const WORD = 4;

/**
 * Copies bytes to offset `at` of `to`; returns the offset after them. Copies whole words. For a key or an id, which has
 * a few dozen bytes, this takes a third of the time of copying single bytes. `Buffer.copy` takes three times as long
 * for its overhead alone.
 */
export const copyBytes = (from: DataView, { start, end }: Span, to: DataView, at: number): number => {
  let place = at;
  let i = start;
  for (; i + WORD <= end; i += WORD, place += WORD) to.setInt32(place, from.getInt32(i));
  for (; i < end; i += 1, place += 1) to.setUint8(place, from.getUint8(i));
  return place;
};

/** Whether the span of `from` equals the bytes at offset `at` of `other`. */
export const areBytes = (from: DataView, { start, end }: Span, other: DataView, at: number): boolean => {
  let place = at;
  let i = start;
  for (; i + WORD <= end; i += WORD, place += WORD)
    if (other.getInt32(place) !== from.getInt32(i)) return false;
  for (; i < end; i += 1, place += 1) if (other.getUint8(place) !== from.getUint8(i)) return false;
  return true;
};
