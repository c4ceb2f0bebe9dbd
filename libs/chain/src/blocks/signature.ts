import { createPublicKey, verify, type KeyObject } from 'node:crypto';
import { secp256k1 } from '@noble/curves/secp256k1.js';
import { sha256 } from '../crypto/hashes.js';
import { verifyLegacySchnorr } from '../crypto/schnorr.js';
import type { BlockHeader } from './block.js';
import { headerBytes } from './header-bytes.js';

const SCHNORR_CHARACTERS = 128;

/** DER of a SubjectPublicKeyInfo for secp256k1 up to the key's 65 uncompressed bytes. */
const SPKI_PREFIX = Buffer.from('3056301006072a8648ce3d020106052b8104000a034200', 'hex');

/** Delegates are few: all that forged lately fit. */
const KEPT_KEYS = 1000;
const keys = new Map<string, KeyObject>();

/** Importing a key costs as much as a verification, so keys are kept. Throws where the text is no point. */
const importKey = (publicKey: string): KeyObject => {
  const known = keys.get(publicKey);
  if (known) return known;
  const point = secp256k1.Point.fromHex(publicKey).toBytes(false);
  const key = createPublicKey({ key: Buffer.concat([SPKI_PREFIX, point]), format: 'der', type: 'spki' });
  if (keys.size >= KEPT_KEYS) keys.delete(keys.keys().next().value!);
  keys.set(publicKey, key);
  return key;
};

// With a callback the work is done on the thread pool.
const verifyEcdsa = (message: Buffer, signature: Buffer, key: KeyObject): Promise<boolean> =>
  new Promise((resolve) => {
    verify('sha256', message, key, signature, (error, isValid) => resolve(!error && isValid));
  });

/**
 * Whether the block's signature is by its generator (protocol.md, "Blocks"): ECDSA in DER, or Schnorr where it is 64
 * bytes long. The network's exceptions are the caller's to consult.
 */
export const verifyBlockSignature = async (header: BlockHeader): Promise<boolean> => {
  const { blockSignature, generatorPublicKey } = header;
  const message = headerBytes(header);
  const signature = Buffer.from(blockSignature, 'hex');
  if (blockSignature.length === SCHNORR_CHARACTERS) {
    return verifyLegacySchnorr(sha256(message), signature, Buffer.from(generatorPublicKey, 'hex'));
  }
  try {
    return await verifyEcdsa(message, signature, importKey(generatorPublicKey));
  } catch {
    return false;
  }
};
