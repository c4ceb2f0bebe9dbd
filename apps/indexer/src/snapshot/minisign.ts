import { createHash, scrypt, type ScryptOptions } from 'node:crypto';
import { promisify } from 'node:util';
import { ed25519 } from '@noble/curves/ed25519.js';

// The files of the program minisign: https://jedisct1.github.io/minisign/#signature-format and its minisign.h. A key or a
// signature is one line of base64 below a line of comment that nobody signs.

const UNTRUSTED = 'untrusted comment: ';
const TRUSTED = 'trusted comment: ';

/** Of keys, and of signatures over the bytes themselves. */
const PURE = 'Ed';
/** Of signatures over the BLAKE2b-512 of the bytes, minisign's default since 0.10. */
const HASHED = 'ED';

/** Algorithm, id, and the key or the signature. */
const KEY_LENGTHS = [2, 8, 32] as const;
const SIGNATURE_LENGTHS = [2, 8, 64] as const;
/** Algorithms of signature, derivation and checksum; the salt and the two limits of scrypt; what is encrypted. */
const SECRET_LENGTHS = [6, 32, 8, 8, 104] as const;
/** That is the id, the seed, the public key, and a checksum. */
const ENCRYPTED_LENGTHS = [8, 32, 32, 32] as const;

/** A public key, or the seed of a secret one. */
export interface PublicKey {
  readonly id: Buffer;
  readonly key: Buffer;
}

export type SecretKey = PublicKey;

/** The id as minisign prints it. */
export const idText = (id: Buffer): string => Buffer.from(id).reverse().toString('hex').toUpperCase();

type Parts<Lengths> = { readonly [Place in keyof Lengths]: Buffer };

const split = <const Lengths extends readonly number[]>(bytes: Buffer, lengths: Lengths): Parts<Lengths> => {
  let end = 0;
  return lengths.map((length) => bytes.subarray(end, (end += length))) as Parts<Lengths>;
};

/** The parts of a line of base64; null if it is none of their lengths. */
const decode = <const Lengths extends readonly number[]>(line: string | undefined, lengths: Lengths) => {
  const bytes = Buffer.from(line ?? '', 'base64');
  const isWhole = bytes.length === lengths.reduce((sum, length) => sum + length, 0);
  return isWhole && bytes.toString('base64') === line ? split(bytes, lengths) : null;
};

const linesOf = (text: string): string[] => text.trimEnd().split(/\r?\n/);

/** The key in the text of a public key's file, or in its second line alone. Null if it is none. */
export const parsePublicKey = (text: string): PublicKey | null => {
  const parts = decode(linesOf(text).at(-1), KEY_LENGTHS);
  if (parts?.[0].toString() !== PURE) return null;
  const [, id, key] = parts;
  return { id, key };
};

/** libsodium's choice (`pickparams` of crypto_pwhash_scryptsalsa208sha256): how two limits become scrypt's parameters. */
const scryptParameters = (operations: number, memory: number): ScryptOptions => {
  const r = 8;
  const most = Math.max(operations, 32_768);
  const isFewOperations = most < memory / 32;
  const N = 2 ** Math.floor(Math.log2(isFewOperations ? most / (r * 4) : memory / (r * 128)));
  const p = isFewOperations ? 1 : Math.floor(most / 4 / N / r);
  return { N, r, p, maxmem: 128 * r * (N + p + 2) };
};

const derive = promisify<string, Buffer, number, ScryptOptions, Buffer>(scrypt);

export type ReadSecretKey = SecretKey | 'no key' | 'encrypted' | 'wrong password';

/**
 * The key in the text of a secret key's file. One that is encrypted needs its password, and as a rule 1 GiB of memory for
 * a second or two.
 */
export const parseSecretKey = async (text: string, password?: string): Promise<ReadSecretKey> => {
  const file = decode(linesOf(text)[1], SECRET_LENGTHS);
  if (file === null) return 'no key';
  const [algorithms, salt, operations, memory, encrypted] = file;
  const isEncrypted = algorithms.toString() === 'EdScB2';
  if (!isEncrypted && algorithms.toString() !== 'Ed\0\0B2') return 'no key';
  let secret = encrypted;
  if (isEncrypted) {
    if (password === undefined) return 'encrypted';
    const [most, bytes] = [operations, memory].map((limit) => Number(limit.readBigUInt64LE()));
    const stream = await derive(password, salt, encrypted.length, scryptParameters(most!, bytes!));
    secret = Buffer.from(encrypted.map((byte, at) => byte ^ stream[at]!));
  }
  const [id, key, publicKey] = split(secret, ENCRYPTED_LENGTHS);
  // The public key proves the seed as the checksum does.
  if (publicKey.equals(ed25519.getPublicKey(key))) return { id, key };
  return isEncrypted ? 'wrong password' : 'no key';
};

const hashOf = (message: Buffer): Buffer => createHash('blake2b512').update(message).digest();

/** The text of a signature's file. The comment is one line, and signed too. The same input gives the same text. */
export const signMessage = (message: Buffer, { id, key }: SecretKey, comment: string): string => {
  const signature = ed25519.sign(hashOf(message), key);
  const whole = ed25519.sign(Buffer.concat([signature, Buffer.from(comment)]), key);
  return [
    `${UNTRUSTED}signature from minisign secret key`,
    Buffer.concat([Buffer.from(HASHED), id, signature]).toString('base64'),
    `${TRUSTED}${comment}`,
    `${Buffer.from(whole).toString('base64')}\n`,
  ].join('\n');
};

interface Signature {
  readonly isHashed: boolean;
  readonly id: Buffer;
  readonly signature: Buffer;
  readonly comment: string;
  readonly whole: Buffer;
}

/** The signature in the text of its file. Null if it is none. */
export const parseSignature = (text: string): Signature | null => {
  const [untrusted, line, trusted, last] = linesOf(text);
  const [parts, ends] = [decode(line, SIGNATURE_LENGTHS), decode(last, [64])];
  if (parts === null || ends === null) return null;
  if (!untrusted!.startsWith(UNTRUSTED) || !trusted!.startsWith(TRUSTED)) return null;
  const [algorithm, id, signature] = parts;
  const isHashed = algorithm.toString() === HASHED;
  if (!isHashed && algorithm.toString() !== PURE) return null;
  return { isHashed, id, signature, comment: trusted!.slice(TRUSTED.length), whole: ends[0] };
};

/** Whether this key has signed the message and the comment. */
export const isSignedBy = (message: Buffer, signed: Signature, { id, key }: PublicKey): boolean => {
  const { isHashed, signature, comment, whole } = signed;
  const isBy = (signer: Buffer, bytes: Buffer): boolean =>
    ed25519.verify(signer, bytes, key, { zip215: false });
  return (
    signed.id.equals(id) &&
    isBy(signature, isHashed ? hashOf(message) : message) &&
    isBy(whole, Buffer.concat([signature, Buffer.from(comment)]))
  );
};
