import { sha256, type Transaction } from '@roundhouse/chain';
import { isSigned } from '../checks/signature.js';

type Signatures = Pick<Transaction, 'signature' | 'secondSignature' | 'signatures'>;

/** The fields before the payload, with an empty vendor field. */
const HEADER_BYTES = 59;
const SCHNORR_BYTES = 64;
const MEMBER_BYTES = 65;
const MOST_MEMBERS = 16;
const DER = 0x30;
const MOST_DER_BYTES = 72;

/** Where one or two signatures that reach to the end may begin, and where the first of them ends. */
const placesOfSignatures = function* (bytes: Buffer): Generator<readonly [from: number, to: number]> {
  const { length } = bytes;
  const endOfDer = (from: number): number => (bytes[from] === DER ? from + 2 + bytes[from + 1]! : Infinity);
  for (let from = Math.max(length - 2 * MOST_DER_BYTES, HEADER_BYTES); from < length; from += 1) {
    const left = length - from;
    if (left === SCHNORR_BYTES || left === 2 * SCHNORR_BYTES) yield [from, from + SCHNORR_BYTES];
    const to = endOfDer(from);
    if (to === length || endOfDer(to) === length) yield [from, to];
  }
};

const signaturesOfMembers = (bytes: Buffer): string[] => {
  const signatures: string[] = [];
  const places = new Set<number>();
  for (let from = bytes.length - MEMBER_BYTES; from >= HEADER_BYTES; from -= MEMBER_BYTES) {
    const place = bytes[from]!;
    if (place >= MOST_MEMBERS || places.has(place)) break;
    places.add(place);
    signatures.unshift(bytes.toString('hex', from, from + MEMBER_BYTES));
  }
  return signatures;
};

/**
 * The signatures at the end of the bytes of an unknown type, whose payload may have any length: that of the sender, which
 * is verified, with a second one if there is more; otherwise what looks like those of members, or none.
 */
export const readUnknownSignatures = (bytes: Buffer, publicKey: string): Signatures => {
  for (const [from, to] of placesOfSignatures(bytes)) {
    const signature = bytes.subarray(from, to);
    if (!isSigned({ hash: sha256(bytes.subarray(0, from)), signature, publicKey })) continue;
    const second = bytes.toString('hex', to);
    return {
      signature: signature.toString('hex'),
      secondSignature: second === '' ? null : second,
      signatures: null,
    };
  }
  const signatures = signaturesOfMembers(bytes);
  return { signature: null, secondSignature: null, signatures: signatures.length === 0 ? null : signatures };
};
