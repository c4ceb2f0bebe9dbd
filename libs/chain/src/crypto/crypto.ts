import { hash as hashOnce } from 'node:crypto';
import { createRequire } from 'node:module';
import * as wasm from 'tiny-secp256k1';
import type { Bindings, Curve } from './curve.js';

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
