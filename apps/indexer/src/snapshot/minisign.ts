import {
  createHash,
  createPrivateKey,
  createPublicKey,
  scrypt,
  sign,
  verify,
  type KeyObject,
  type ScryptOptions,
} from 'node:crypto';
import { promisify } from 'node:util';

// The files of the program minisign: https://jedisct1.github.io/minisign/#signature-format and its minisign.h. A key or a
// signature is one line of base64 below a line of comment that nobody signs.

const UNTRUSTED = 'untrusted comment: ';
const TRUSTED = 'trusted comment: ';

/** Of keys, and of signatures over the bytes themselves. */
const PURE = 'Ed';
/** Of signatures over the BLAKE2b-512 of the bytes, minisign's default since 0.10. */
const HASHED = 'ED';

const ID_BYTES = 8;
const KEY_BYTES = 32;
const SIGNATURE_BYTES = 64;
const ALGORITHM_BYTES = 2;
const PUBLIC_BYTES = ALGORITHM_BYTES + ID_BYTES + KEY_BYTES;
/** Algorithms of signature, derivation and checksum, then the salt and the two limits of scrypt. */
const SALT_AT = 3 * ALGORITHM_BYTES;
const OPERATIONS_AT = SALT_AT + 32;
const MEMORY_AT = OPERATIONS_AT + 8;
const SECRET_AT = MEMORY_AT + 8;
/** The id, the seed with the public key, and a checksum; all of it is encrypted. */
const SECRET_BYTES = ID_BYTES + 2 * KEY_BYTES + 32;

export interface PublicKey {
  readonly id: Buffer;
  readonly key: KeyObject;
}

export type SecretKey = PublicKey;

/** The id as minisign prints it. */
export const idText = (id: Buffer): string => Buffer.from(id).reverse().toString('hex').toUpperCase();

/** Null unless the line is base64 of so many bytes. */
const decode = (line: string | undefined, length: number): Buffer | null => {
  const bytes = Buffer.from(line ?? '', 'base64');
  return bytes.length === length && bytes.toString('base64') === line ? bytes : null;
};

const linesOf = (text: string): string[] => text.trimEnd().split(/\r?\n/);

/** Of the public key, and of the seed if there is one. */
const jwk = (x: Buffer, d?: Buffer) => ({
  format: 'jwk' as const,
  key: {
    kty: 'OKP',
    crv: 'Ed25519',
    x: x.toString('base64url'),
    ...(d && { d: d.toString('base64url') }),
  },
});

/** The key in the text of a public key's file, or in its second line alone. Null if it is none. */
export const parsePublicKey = (text: string): PublicKey | null => {
  const bytes = decode(linesOf(text).at(-1), PUBLIC_BYTES);
  if (bytes?.toString('latin1', 0, ALGORITHM_BYTES) !== PURE) return null;
  const [id, x] = [bytes.subarray(ALGORITHM_BYTES, -KEY_BYTES), bytes.subarray(-KEY_BYTES)];
  return { id, key: createPublicKey(jwk(x)) };
};

/** libsodium's choice (`pickparams` of crypto_pwhash_scryptsalsa208sha256): how two limits become scrypt's parameters. */
const scryptParameters = (operations: bigint, memory: bigint) => {
  const r = 8n;
  const most = operations > 32_768n ? operations : 32_768n;
  const isFewOperations = most < memory / 32n;
  const maxN = isFewOperations ? most / (r * 4n) : memory / (r * 128n);
  let log2 = 1n;
  while (log2 < 63n && 1n << log2 <= maxN / 2n) log2 += 1n;
  const p = isFewOperations ? 1n : most / 4n / (1n << log2) / r;
  const [N, blocks] = [Number(1n << log2), Number(r)];
  return { N, r: blocks, p: Number(p), maxmem: 128 * blocks * (N + Number(p) + 2) };
};

const derive = promisify<string, Buffer, number, ScryptOptions, Buffer>(scrypt);

const decrypt = async (file: Buffer, password: string): Promise<Buffer> => {
  const parameters = scryptParameters(file.readBigUInt64LE(OPERATIONS_AT), file.readBigUInt64LE(MEMORY_AT));
  const stream = await derive(password, file.subarray(SALT_AT, OPERATIONS_AT), SECRET_BYTES, parameters);
  return Buffer.from(file.subarray(SECRET_AT).map((byte, at) => byte ^ stream[at]!));
};

export type ReadSecretKey = SecretKey | 'no key' | 'encrypted' | 'wrong password';

/**
 * The key in the text of a secret key's file. One that is encrypted needs its password, and as a rule 1 GiB of memory for
 * a second or two.
 */
export const parseSecretKey = async (text: string, password?: string): Promise<ReadSecretKey> => {
  const file = decode(linesOf(text)[1], SECRET_AT + SECRET_BYTES);
  const algorithms = file?.toString('latin1', 0, SALT_AT);
  if (algorithms !== 'EdScB2' && algorithms !== 'Ed\0\0B2') return 'no key';
  const isEncrypted = algorithms === 'EdScB2';
  if (isEncrypted && password === undefined) return 'encrypted';
  const secret = isEncrypted ? await decrypt(file!, password!) : file!.subarray(SECRET_AT);
  const [id, d] = [secret.subarray(0, ID_BYTES), secret.subarray(ID_BYTES, ID_BYTES + KEY_BYTES)];
  const x = secret.subarray(ID_BYTES + KEY_BYTES, ID_BYTES + 2 * KEY_BYTES);
  const key = createPrivateKey(jwk(x, d));
  // The checksum needs BLAKE2b-256, which Node.js lacks; the public half proves the seed as well.
  const found = Buffer.from(createPublicKey(key).export({ format: 'jwk' }).x!, 'base64url');
  if (found.equals(x)) return { id, key };
  return isEncrypted ? 'wrong password' : 'no key';
};

const hashOf = (message: Buffer): Buffer => createHash('blake2b512').update(message).digest();

/** The text of a signature's file. The comment is one line, and signed too. The same input gives the same text. */
export const signMessage = (message: Buffer, { id, key }: SecretKey, comment: string): string => {
  const signature = sign(null, hashOf(message), key);
  const whole = sign(null, Buffer.concat([signature, Buffer.from(comment)]), key);
  return [
    `${UNTRUSTED}signature from minisign secret key`,
    Buffer.concat([Buffer.from(HASHED), id, signature]).toString('base64'),
    `${TRUSTED}${comment}`,
    `${whole.toString('base64')}\n`,
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
  const bytes = decode(line, ALGORITHM_BYTES + ID_BYTES + SIGNATURE_BYTES);
  const whole = decode(last, SIGNATURE_BYTES);
  const algorithm = bytes?.toString('latin1', 0, ALGORITHM_BYTES);
  if (whole === null || (algorithm !== HASHED && algorithm !== PURE)) return null;
  if (!untrusted!.startsWith(UNTRUSTED) || !trusted!.startsWith(TRUSTED)) return null;
  return {
    isHashed: algorithm === HASHED,
    id: bytes!.subarray(ALGORITHM_BYTES, ALGORITHM_BYTES + ID_BYTES),
    signature: bytes!.subarray(-SIGNATURE_BYTES),
    comment: trusted!.slice(TRUSTED.length),
    whole,
  };
};

/** Whether this key has signed the message and the comment. */
export const isSignedBy = (message: Buffer, signed: Signature, { id, key }: PublicKey): boolean =>
  signed.id.equals(id) &&
  verify(null, signed.isHashed ? hashOf(message) : message, key, signed.signature) &&
  verify(null, Buffer.concat([signed.signature, Buffer.from(signed.comment)]), key, signed.whole);
