import { hash as hashOnce } from 'node:crypto';
import { createRequire } from 'node:module';
import * as wasm from 'tiny-secp256k1';

// `crypto.hash` (Node.js 20.12 or newer) avoids the stream object of `createHash`.

export const sha256 = (bytes: Uint8Array | string): Buffer => hashOnce('sha256', bytes, 'buffer');

/** The hash as text, at half the cost of a buffer. `binary` has one character per byte. */
export const sha256As = (form: 'hex' | 'base64url' | 'binary', bytes: Uint8Array | string): string =>
  hashOnce('sha256', bytes, form);

export const ripemd160 = (bytes: Uint8Array): Buffer => hashOnce('ripemd160', bytes, 'buffer');

/** The result; null if `compute` throws. */
export const orNull = <T>(compute: () => T): T | null => {
  try {
    return compute();
  } catch {
    return null;
  }
};

/**
 * The arithmetic of secp256k1. Points are 33 or 65 bytes, scalars and hashes 32, signatures 64. What is no point, no
 * scalar or no signature gives null or false; so does the point at infinity, which is no key.
 */
export interface Curve {
  readonly name: 'libsecp256k1' | 'libsecp256k1 as WebAssembly';
  /** A large s is valid, as for OpenSSL. */
  verifyEcdsa(hash: Uint8Array, publicKey: Uint8Array, signature: Uint8Array): boolean;
  convert(point: Uint8Array, isCompressed: boolean): Uint8Array | null;
  /** This and the next two return both coordinates. */
  pointOf(scalar: Uint8Array): Uint8Array | null;
  add(point: Uint8Array, other: Uint8Array): Uint8Array | null;
  multiply(point: Uint8Array, scalar: Uint8Array): Uint8Array | null;
  /** Adds the scalar's point. */
  addScalar(point: Uint8Array, scalar: Uint8Array): Uint8Array | null;
}

/** The part of the package that is used. It throws for everything that is wrong. */
interface Bindings {
  signatureNormalize(signature: Uint8Array): Uint8Array;
  ecdsaVerify(signature: Uint8Array, hash: Uint8Array, publicKey: Uint8Array): boolean;
  publicKeyConvert(point: Uint8Array, isCompressed: boolean): Uint8Array;
  publicKeyCreate(scalar: Uint8Array, isCompressed: boolean): Uint8Array;
  publicKeyCombine(points: readonly Uint8Array[], isCompressed: boolean): Uint8Array;
  publicKeyTweakMul(point: Uint8Array, scalar: Uint8Array, isCompressed: boolean): Uint8Array;
  publicKeyTweakAdd(point: Uint8Array, scalar: Uint8Array, isCompressed: boolean): Uint8Array;
}

const webAssembly: Curve = {
  name: 'libsecp256k1 as WebAssembly',
  verifyEcdsa: (hash, publicKey, signature) => orNull(() => wasm.verify(hash, publicKey, signature)) ?? false,
  convert: (point, isCompressed) => orNull(() => wasm.pointCompress(point, isCompressed)),
  pointOf: (scalar) => orNull(() => wasm.pointFromScalar(scalar, false)),
  add: (point, other) => orNull(() => wasm.pointAdd(point, other, false)),
  multiply: (point, scalar) => orNull(() => wasm.pointMultiply(point, scalar, false)),
  addScalar: (point, scalar) => orNull(() => wasm.pointAddScalar(point, scalar, false)),
};

const nativeOf = (bindings: Bindings): Curve => ({
  name: 'libsecp256k1',
  verifyEcdsa: (hash, publicKey, signature) =>
    // The copy is normalised in place: the library refuses a large s.
    orNull(() =>
      bindings.ecdsaVerify(bindings.signatureNormalize(Uint8Array.from(signature)), hash, publicKey),
    ) ?? false,
  convert: (point, isCompressed) => orNull(() => bindings.publicKeyConvert(point, isCompressed)),
  pointOf: (scalar) => orNull(() => bindings.publicKeyCreate(scalar, false)),
  add: (point, other) => orNull(() => bindings.publicKeyCombine([point, other], false)),
  multiply: (point, scalar) => orNull(() => bindings.publicKeyTweakMul(point, scalar, false)),
  addScalar: (point, scalar) => orNull(() => bindings.publicKeyTweakAdd(point, scalar, false)),
});

/** Never the package's entry: without a binary for this machine it computes in JavaScript, and says nothing. */
const bindings = orNull(() => createRequire(import.meta.url)('secp256k1/bindings') as Bindings);

/** Those of this machine, the fastest first. Both are the same library of Bitcoin's developers. */
export const curves: readonly Curve[] = [...(bindings ? [nativeOf(bindings)] : []), webAssembly];

/** The one in use. */
export const curve: Curve = curves[0]!;
