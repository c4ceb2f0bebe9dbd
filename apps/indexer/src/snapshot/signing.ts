import { readFile } from 'node:fs/promises';
import { OperatorError } from '@roundhouse/config';
import { reading } from '../files/access.js';
import {
  idText,
  isSignedBy,
  parsePublicKey,
  parseSecretKey,
  parseSignature,
  type PublicKey,
  type SecretKey,
} from './minisign.js';

const readText = (path: string): Promise<string> =>
  reading(path, (file) => readFile(file, 'utf8'), 'name the file of a key of minisign.');

/** The key in the file that `minisign -G` made. Throws `OperatorError`. */
export const readSecretKey = async (path: string, password: string | undefined): Promise<SecretKey> => {
  const key = await parseSecretKey(await readText(path), password);
  if (typeof key !== 'string') return key;
  const problems = {
    'no key': `${path} is no secret key of minisign: "minisign -G" makes one.`,
    encrypted: `${path} is encrypted: set SIGNING_PASSWORD, or SIGNING_PASSWORD_FILE to a file that holds the password.`,
    'wrong password': `SIGNING_PASSWORD is not the password of ${path}: correct it.`,
  };
  throw new OperatorError(problems[key]);
};

/** A public key of minisign, or the one in the file of this name. Throws `OperatorError`. */
export const readPublicKey = async (keyOrPath: string): Promise<PublicKey> => {
  const key = parsePublicKey(keyOrPath) ?? parsePublicKey(await readText(keyOrPath));
  if (key !== null) return key;
  throw new OperatorError(
    `${keyOrPath} is no public key of minisign: it begins with RW, and "minisign -G" writes it into minisign.pub.`,
  );
};

/**
 * Throws `OperatorError` unless the trusted key has signed the manifest. Returns the signature as a line for people; null
 * if there is none.
 */
export const checkSignature = (
  path: string,
  manifest: Buffer,
  text: string | null,
  trusted: PublicKey | null,
): string | null => {
  const signature = text === null ? null : parseSignature(text);
  if (trusted === null) {
    if (text === null) return null;
    return signature === null
      ? 'by a signature that cannot be read'
      : `by the key ${idText(signature.id)}, not checked: name it with --trust`;
  }
  if (text === null)
    throw new OperatorError(
      `${path} is not signed, so it is not known to be of the trusted key: take one that is.`,
    );
  if (signature === null) throw new OperatorError(`The signature of ${path} is damaged: copy it again.`);
  if (!signature.id.equals(trusted.id)) {
    throw new OperatorError(
      `${path} is signed by the key ${idText(signature.id)}, not by the trusted key ${idText(trusted.id)}: take one of its maker.`,
    );
  }
  if (!isSignedBy(manifest, signature, trusted)) {
    throw new OperatorError(
      `The manifest of ${path} is not what the trusted key ${idText(trusted.id)} has signed: copy it again, and do not trust it.`,
    );
  }
  return `by the trusted key ${idText(trusted.id)}: ${signature.comment}`;
};
