import { curve } from '@roundhouse/chain';
import { verifyLegacySchnorr } from './schnorr.js';

const SEQUENCE = 0x30;
const INTEGER = 0x02;
const LONG_FORM = 0x80;
const NUMBER_BYTES = 32;

interface Part {
  readonly begin: number;
  /** Past the end of the signature if the part claims more than is there. */
  readonly end: number;
}

/** Finds the contents of the part that begins at `at`. Returns null if the part has another tag. */
const partAt = (der: Uint8Array, at: number, tag: number): Part | null => {
  const length = der[at + 1];
  if (der[at] !== tag || length === undefined) return null;
  if (length < LONG_FORM) return { begin: at + 2, end: at + 2 + length };
  const begin = at + 2 + length - LONG_FORM;
  const long = der.subarray(at + 2, begin).reduce((sum, byte) => sum * 256 + byte, 0);
  return { begin, end: begin + long };
};

/** Writes an integer of `der` right-aligned. False if it is cut off or has more than 32 bytes. */
const writeNumber = (der: Uint8Array, { begin, end }: Part, target: Uint8Array): boolean => {
  if (end > der.length) return false;
  let first = begin;
  while (first < end && der[first] === 0) first += 1;
  if (end - first > NUMBER_BYTES) return false;
  target.set(der.subarray(first, end), NUMBER_BYTES - (end - first));
  return true;
};

/**
 * r and s of an ECDSA signature, 32 bytes each; null if it has none. It may be any BER that older versions of Core read
 * (protocol.md, "Signatures"), but its second byte is always the number of those that follow, because Core cuts
 * signatures out of a transaction's bytes by it.
 */
const compactSignature = (der: Uint8Array): Uint8Array | null => {
  if (der[1] !== der.length - 2) return null;
  const compact = new Uint8Array(2 * NUMBER_BYTES);
  const whole = partAt(der, 0, SEQUENCE);
  const r = whole && partAt(der, whole.begin, INTEGER);
  if (!r || !writeNumber(der, r, compact.subarray(0, NUMBER_BYTES))) return null;
  const s = partAt(der, r.end, INTEGER);
  return s && writeNumber(der, s, compact.subarray(NUMBER_BYTES)) ? compact : null;
};

export const SCHNORR_BYTES = 64;

/** Enough for all recent forgers and the most frequent senders. */
const KEPT_KEYS = 10_000;
const keys = new Map<string, Uint8Array>();

/**
 * The key with both coordinates; computing the second one costs a seventh of a verification. Null if there is no such
 * point.
 */
const pointOf = (publicKey: string): Uint8Array | null => {
  const known = keys.get(publicKey);
  if (known) return known;
  const point = curve.convert(Buffer.from(publicKey, 'hex'), false);
  if (point === null) return null;
  if (keys.size >= KEPT_KEYS) keys.clear();
  keys.set(publicKey, point);
  return point;
};

/** A signature and the hash that it signs. */
export interface Signed {
  readonly hash: Uint8Array;
  readonly signature: Uint8Array;
  readonly publicKey: string;
}

/**
 * Whether the signature is by the key (protocol.md, "Signatures"): ECDSA, or Schnorr if it is 64 bytes
 * long. The caller consults the network's exceptions.
 */
export const isSigned = ({ hash, signature, publicKey }: Signed, by = curve): boolean => {
  const point = pointOf(publicKey);
  if (point === null) return false;
  if (signature.length === SCHNORR_BYTES)
    return verifyLegacySchnorr(hash, signature, Buffer.from(publicKey, 'hex'), point, by);
  const compact = compactSignature(signature);
  return compact !== null && by.verifyEcdsa(hash, point, compact);
};
