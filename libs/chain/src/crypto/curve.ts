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
export interface Bindings {
  signatureNormalize(signature: Uint8Array): Uint8Array;
  ecdsaVerify(signature: Uint8Array, hash: Uint8Array, publicKey: Uint8Array): boolean;
  publicKeyConvert(point: Uint8Array, isCompressed: boolean): Uint8Array;
  publicKeyCreate(scalar: Uint8Array, isCompressed: boolean): Uint8Array;
  publicKeyCombine(points: readonly Uint8Array[], isCompressed: boolean): Uint8Array;
  publicKeyTweakMul(point: Uint8Array, scalar: Uint8Array, isCompressed: boolean): Uint8Array;
  publicKeyTweakAdd(point: Uint8Array, scalar: Uint8Array, isCompressed: boolean): Uint8Array;
}
