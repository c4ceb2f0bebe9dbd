import { secp256k1 } from '@noble/curves/secp256k1.js';
import { sha256 } from '../crypto/hashes.js';
import { verifyLegacySchnorr } from '../crypto/schnorr.js';
import type { BlockHeader } from './block.js';
import { headerBytes } from './header-bytes.js';

const SCHNORR_CHARACTERS = 128;

type LibSecp256k1 = typeof import('tiny-secp256k1');

let library: LibSecp256k1 | undefined;

/** Bitcoin's own library as WebAssembly: half as quick again as OpenSSL. Loaded by whoever verifies, and by nobody else. */
const loadLibrary = async (): Promise<LibSecp256k1> => (library ??= await import('tiny-secp256k1'));

/** Delegates are few: all that forged lately fit. */
const KEPT_KEYS = 1000;
const keys = new Map<string, Uint8Array>();

/** The key with both coordinates; finding the second one costs a seventh of a verification. Throws where there is no such point. */
const pointOf = (publicKey: string, { pointCompress }: LibSecp256k1): Uint8Array => {
  const known = keys.get(publicKey);
  if (known) return known;
  const point = pointCompress(Buffer.from(publicKey, 'hex'), false);
  if (keys.size >= KEPT_KEYS) keys.delete(keys.keys().next().value!);
  keys.set(publicKey, point);
  return point;
};

/** Throws where the signature is no DER, or a number of it is out of range. */
const compactOf = (der: Uint8Array): Uint8Array =>
  secp256k1.Signature.fromBytes(der, 'der').toBytes('compact');

/**
 * Whether the block's signature is by its generator (protocol.md, "Blocks"): ECDSA in DER, or Schnorr where it is 64
 * bytes long. The network's exceptions are the caller's to consult.
 */
export const verifyBlockSignature = async (header: BlockHeader): Promise<boolean> => {
  const { blockSignature, generatorPublicKey } = header;
  const signature = Buffer.from(blockSignature, 'hex');
  const hash = sha256(headerBytes(header));
  if (blockSignature.length === SCHNORR_CHARACTERS) {
    return verifyLegacySchnorr(hash, signature, Buffer.from(generatorPublicKey, 'hex'));
  }
  const secp = library ?? (await loadLibrary());
  try {
    return secp.verify(hash, pointOf(generatorPublicKey, secp), compactOf(signature));
  } catch {
    return false;
  }
};
