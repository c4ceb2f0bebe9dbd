// An ECDSA signature is DER: 30, the length of the rest, then r and s, each as 02, its length, and itself. A number whose
// first bit is set has a 0 before it. All but r and s follows from them, so usually 64 bytes are stored instead of 70 to 72.

const NUMBER_BYTES = 32;
const COMPACT_BYTES = 2 * NUMBER_BYTES;
const SEQUENCE = 0x30;
const INTEGER = 2;
/** The bytes before a number, if no 0 is among them. */
const BEFORE_NUMBER = 2;

const isHigh = (byte: number): boolean => byte > 0x7f;

/** Where a number of 32 bytes begins that DER has at `at`; 0 if none is there. */
const numberAt = (der: Buffer, at: number): number => {
  const zeros = der[at + 1]! - NUMBER_BYTES;
  const begin = at + BEFORE_NUMBER + zeros;
  if (der[at] !== INTEGER || (zeros !== 0 && zeros !== 1)) return 0;
  if (zeros === 1 && der[begin - 1] !== 0) return 0;
  return isHigh(der[begin]!) === (zeros === 1) ? begin : 0;
};

/** r and s of a signature; null if it is not DER of numbers of 32 bytes, or if r begins with 0. */
const compactOf = (signature: Buffer): Buffer | null => {
  if (signature[0] !== SEQUENCE || signature[1] !== signature.length - BEFORE_NUMBER) return null;
  const r = numberAt(signature, BEFORE_NUMBER);
  const s = r === 0 ? 0 : numberAt(signature, r + NUMBER_BYTES);
  if (s === 0 || s + NUMBER_BYTES !== signature.length || signature[r] === 0) return null;
  const compact = Buffer.allocUnsafe(COMPACT_BYTES);
  signature.copy(compact, 0, r, r + NUMBER_BYTES);
  signature.copy(compact, NUMBER_BYTES, s);
  return compact;
};

const derOf = (compact: Buffer): Buffer => {
  const numbers = [compact.subarray(0, NUMBER_BYTES), compact.subarray(NUMBER_BYTES)];
  const parts = numbers.flatMap((number) => {
    const zeros = isHigh(number[0]!) ? 1 : 0;
    return [Buffer.of(INTEGER, NUMBER_BYTES + zeros), Buffer.alloc(zeros), number];
  });
  const rest = Buffer.concat(parts);
  return Buffer.concat([Buffer.of(SEQUENCE, rest.length), rest]);
};

/**
 * The bytes that are stored for a signature, which may be any bytes: r and s of DER, if r does not begin with 0. Other
 * signatures are stored as they are, but with a 0 before those that begin with 0 or have 64 bytes, as Schnorr signatures do.
 */
export const storedSignature = (signature: Buffer): Buffer => {
  const compact = compactOf(signature);
  if (compact !== null) return compact;
  const isAmbiguous = signature[0] === 0 || signature.length === COMPACT_BYTES;
  return isAmbiguous ? Buffer.concat([Buffer.of(0), signature]) : signature;
};

/** The signature for which these bytes are stored. */
export const signatureOfStored = (stored: Buffer): Buffer => {
  if (stored[0] === 0) return stored.subarray(1);
  return stored.length === COMPACT_BYTES ? derOf(stored) : stored;
};
