import { sha256 } from '../crypto/hashes.js';

const ALPHABET = '123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz';

export const encodeBase58 = (bytes: Uint8Array): string => {
  let zeros = 0;
  while (zeros < bytes.length && bytes[zeros] === 0) zeros += 1;
  const digits: number[] = [];
  for (let i = zeros; i < bytes.length; i += 1) {
    let carry = bytes[i]!;
    for (let j = 0; j < digits.length; j += 1) {
      carry += digits[j]! << 8;
      digits[j] = carry % 58;
      carry = (carry / 58) | 0;
    }
    for (; carry > 0; carry = (carry / 58) | 0) digits.push(carry % 58);
  }
  // Text that is put together from pieces stays in pieces, and takes long to be compared.
  const text = Buffer.alloc(zeros + digits.length, ALPHABET[0]);
  for (let i = 0; i < digits.length; i += 1) text[text.length - 1 - i] = ALPHABET.charCodeAt(digits[i]!);
  return text.toString('latin1');
};

/** Base58 of the bytes followed by the first four bytes of their double SHA-256. */
export const encodeBase58Check = (payload: Uint8Array): string =>
  encodeBase58(Buffer.concat([payload, sha256(sha256(payload)).subarray(0, 4)]));

const VALUES = new Map([...ALPHABET].map((digit, value) => [digit, BigInt(value)]));

/** The bytes; null where a character is none of the alphabet. */
export const decodeBase58 = (text: string): Buffer | null => {
  let value = 0n;
  for (const digit of text) {
    const next = VALUES.get(digit);
    if (next === undefined) return null;
    value = value * 58n + next;
  }
  const zeros = /^1*/.exec(text)![0].length;
  const hex = value.toString(16);
  const body = value === 0n ? Buffer.alloc(0) : Buffer.from(hex.length % 2 ? `0${hex}` : hex, 'hex');
  return Buffer.concat([Buffer.alloc(zeros), body]);
};

/** The bytes of an address, version byte first; null where the text or its checksum is wrong. */
export const decodeBase58Check = (text: string): Buffer | null => {
  const bytes = decodeBase58(text);
  if (bytes === null || bytes.length < 5) return null;
  const payload = bytes.subarray(0, -4);
  return sha256(sha256(payload)).subarray(0, 4).equals(bytes.subarray(-4)) ? payload : null;
};
