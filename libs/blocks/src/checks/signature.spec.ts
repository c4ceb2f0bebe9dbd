import { createPublicKey, verify } from 'node:crypto';
import { secp256k1 } from '@noble/curves/secp256k1.js';
import { curves, sha256, type Block } from '@roundhouse/chain';
import { readLines, recordedBlocks } from './blocks.harness.js';
import { headerBytes, isBlockSigned, signatureOf } from './check-block.js';
import { transactionSignaturesOf } from '../transactions/check-transactions.js';
import { isSigned, type Signed } from './signature.js';

const [, block, other] = recordedBlocks('core-2.4') as [Block, Block, Block];

/** The verdict of every curve of this machine. */
const verdictOf = (signed: Signed): boolean => {
  const [verdict, ...others] = curves.map((by) => isSigned(signed, by));
  expect(others).toEqual(others.map(() => verdict));
  return verdict!;
};

describe('every signature of a recorded chain', () => {
  it.each(['core-2.4-full', 'core-3.9'] as const)('is valid for every curve: %s', (recording) => {
    const [, ...blocks] = recordedBlocks(recording);
    const rules = { pubKeyHash: 23, exceptions: {} };
    const all = blocks.flatMap((each) => [signatureOf(each), ...transactionSignaturesOf(each, rules)]);
    expect(all.length).toBeGreaterThan(600);
    expect(all.filter((signed) => !verdictOf(signed))).toEqual([]);
  });
});

describe('isBlockSigned', () => {
  it.each([
    ['another timestamp', { timestamp: block.timestamp + 1 }],
    ['another generator', { generatorPublicKey: other.generatorPublicKey }],
    ['a generator that is not a point of the curve', { generatorPublicKey: `02${'ff'.repeat(32)}` }],
    ['the signature of another block', { blockSignature: other.blockSignature }],
    ['a signature that is not DER', { blockSignature: '00' }],
    ['64 bytes that are not a Schnorr signature', { blockSignature: 'ab'.repeat(64) }],
    ['64 bytes of zeros', { blockSignature: '00'.repeat(64) }],
  ])('refuses a header with %s', (_tampered, change) => {
    expect(isBlockSigned({ ...block, ...change })).toBe(false);
  });

  it('accepts the right key after a wrong one', () => {
    isBlockSigned({ ...block, generatorPublicKey: `02${'ff'.repeat(32)}` });
    expect(isBlockSigned(block)).toBe(true);
  });
});

/** The verdict of OpenSSL, which needs the key's second coordinate. */
const verifiesByOpenSsl = (signature: Buffer): boolean => {
  const point = Buffer.from(secp256k1.Point.fromHex(block.generatorPublicKey).toBytes(false));
  const [x, y] = [point.subarray(1, 33), point.subarray(33)].map((half) => half.toString('base64url'));
  const key = createPublicKey({ key: { kty: 'EC', crv: 'secp256k1', x: x!, y: y! }, format: 'jwk' });
  return verify('sha256', headerBytes(block), key, signature);
};

const der = Buffer.from(block.blockSignature, 'hex');

const withHighS = (): Buffer => {
  const { r, s } = secp256k1.Signature.fromBytes(der, 'der');
  return Buffer.from(new secp256k1.Signature(r, secp256k1.Point.Fn.neg(s)).toBytes('der'));
};

describe('an almost valid signature', () => {
  const forms: Buffer[] = [withHighS(), der.subarray(0, -1), Buffer.concat([der, Buffer.of(0)])];
  for (let at = 0; at < der.length; at += 1) {
    for (const value of [0x00, 0x01, 0x02, 0x7f, 0x80, 0x81, 0xff, der[at]! ^ 1, der[at]! + 1]) {
      const changed = Buffer.from(der);
      changed[at] = value;
      forms.push(changed);
    }
    // One byte longer and shorter, with and without adjusted length fields.
    for (const bytes of [Buffer.of(0), Buffer.alloc(0)]) {
      const rest = der.subarray(at + 1 - bytes.length);
      const changed = Buffer.concat([der.subarray(0, at), bytes, rest]);
      forms.push(Buffer.from(changed));
      if (changed.length > 1) changed[1] = changed.length - 2;
      forms.push(Buffer.from(changed));
      if (changed.length > 3) changed[3]! += bytes.length === 1 ? 1 : -1;
      forms.push(changed);
    }
  }

  const verdictOfForm = (signature: Uint8Array): boolean =>
    verdictOf({ hash: sha256(headerBytes(block)), signature, publicKey: block.generatorPublicKey });

  it('is valid wherever it is for OpenSSL, also with a large s', () => {
    expect([verifiesByOpenSsl(der), verifiesByOpenSsl(forms[0]!)]).toEqual([true, true]);
    expect(forms.filter(verifiesByOpenSsl).filter((form) => !verdictOfForm(form))).toEqual([]);
    expect(verdictOfForm(forms[0]!)).toBe(true);
  });

  const { r, s } = secp256k1.Signature.fromBytes(der, 'der');
  const bytesOf = (number: bigint): Buffer => Buffer.from(number.toString(16).padStart(64, '0'), 'hex');
  const integer = (bytes: Buffer, ...length: number[]): Buffer =>
    Buffer.concat([Buffer.of(2, ...(length.length > 0 ? length : [bytes.length])), bytes]);
  const sequence = (parts: readonly Buffer[], ...length: number[]): Buffer => {
    const contents = Buffer.concat(parts);
    return Buffer.concat([Buffer.of(0x30, ...(length.length > 0 ? length : [contents.length])), contents]);
  };
  const numbers = [integer(bytesOf(r)), integer(bytesOf(s))];
  const zeros = Buffer.alloc(3);

  // All that bcrypto reads, with which Core verified until July 2020.
  it.each([
    ['bytes after its numbers', sequence([...numbers, zeros])],
    [
      'zeros before its numbers',
      sequence([r, s].map((each) => integer(Buffer.concat([zeros, bytesOf(each)])))),
    ],
    ['no zero before a number whose first bit is set', sequence(numbers)],
    // Its second byte is read twice: as the number of bytes that follow, and as two bytes of length.
    ['a length of 130 bytes', sequence([Buffer.of(0, 70), ...numbers, Buffer.alloc(60)], 130)],
    [
      'the lengths of its numbers in two bytes',
      sequence([r, s].map((each) => integer(bytesOf(each), 0x82, 0, 32))),
    ],
  ])('is valid with %s', (_, form) => {
    expect(verdictOfForm(form)).toBe(true);
  });

  const [numberR, numberS] = numbers as [Buffer, Buffer];
  it.each([
    ['no byte', Buffer.alloc(0)],
    ['one byte', Buffer.of(0x30)],
    ['another tag', Buffer.concat([Buffer.of(0x31), der.subarray(1)])],
    ['another tag of a number', sequence([numberR, Buffer.concat([Buffer.of(3), numberS.subarray(1)])])],
    ['one number', sequence([numberR])],
    ['its numbers exchanged', sequence([numberS, numberR])],
    ['a number that is cut off', sequence([numberR, numberS.subarray(0, -1)])],
    ['a number of 33 bytes', sequence([numberR, integer(Buffer.concat([Buffer.of(1), bytesOf(s)]))])],
    ['the order of the group as s', sequence([numberR, integer(bytesOf(secp256k1.Point.Fn.ORDER))])],
    ['bytes after its end', Buffer.concat([der, zeros])],
    ['a wrong length of the whole', sequence(numbers, 69)],
    ['the length of the whole in two bytes', sequence(numbers, 0x82, 0, 68)],
    ['a length of more bytes than it has', sequence([...numbers, Buffer.alloc(187)], 255)],
    ['a length of 2^56 bytes', sequence([integer(bytesOf(r), 0x88, 1, 0, 0, 0, 0, 0, 0, 32), numberS])],
    ['a length without end', sequence([integer(bytesOf(r), 0x80), numberS])],
    ['a number 0', sequence([numberR, integer(Buffer.of(0))])],
  ])('is not valid with %s', (_, form) => {
    expect(verdictOfForm(form)).toBe(false);
  });
});

interface TransactionRow {
  readonly version: number;
  readonly type: number;
  readonly type_group: number;
  readonly sender_public_key: string;
  readonly serialized: string;
}

const SIGNATURE_BYTES = 64;
/**
 * The length of a transfer of version 2: a header of 59 bytes, a vendor field whose length is at byte 58, 33 bytes of
 * payload, one signature.
 */
const transferLength = (bytes: Buffer): number => 59 + bytes[58]! + 33 + SIGNATURE_BYTES;

/** Transfers of version 2 with one signature, which Core 3.x signs by Schnorr. */
const signed: Signed[] = readLines<TransactionRow>('core-3.9/core-database-transactions.ndjson.gz')
  .filter((row) => row.version === 2 && row.type === 0 && row.type_group === 1)
  .map((row) => ({ key: row.sender_public_key, bytes: Buffer.from(row.serialized.slice(2), 'hex') }))
  .filter(({ bytes }) => bytes.length === transferLength(bytes))
  .map(({ key, bytes }) => ({
    publicKey: key,
    hash: sha256(bytes.subarray(0, -SIGNATURE_BYTES)),
    signature: bytes.subarray(-SIGNATURE_BYTES),
  }));

describe('isSigned, of a Schnorr signature', () => {
  it('accepts what Core 3.9 signed', async () => {
    expect(signed.length).toBeGreaterThan(50);
    for (const each of signed) expect(verdictOf(each)).toBe(true);
  });

  const turned = (bytes: Uint8Array, at: number): Buffer => {
    const copy = Buffer.from(bytes);
    copy[at]! ^= 1;
    return copy;
  };
  const one = signed[0]!;
  const { hash, signature, publicKey } = one;

  it.each<[string, Partial<Signed>]>([
    ['another hash', { hash: turned(hash, 31) }],
    ['another r', { signature: turned(signature, 0) }],
    ['another s', { signature: turned(signature, 63) }],
    ['the key with the other y', { publicKey: turned(Buffer.from(publicKey, 'hex'), 0).toString('hex') }],
    ['another key', { publicKey: signed.find((each) => each.publicKey !== publicKey)!.publicKey }],
    ['a byte less', { signature: signature.subarray(1) }],
    ['twice the bytes', { signature: Buffer.concat([signature, signature]) }],
  ])('refuses %s', async (_, change) => {
    expect(verdictOf({ ...one, ...change })).toBe(false);
  });

  it('refuses a nonce point whose y is not a square', async () => {
    const { Point } = secp256k1;
    const { Fn, Fp } = Point;
    const secret = 7n;
    const key = Point.BASE.multiply(secret).toBytes(true);
    const verdicts = [1n, 2n, 3n, 4n, 5n, 6n].map(async (nonce) => {
      const { x, y } = Point.BASE.multiply(nonce).toAffine();
      const r = Fp.toBytes(x);
      const challenge = Fn.create(BigInt(`0x${sha256(Buffer.concat([r, key, hash])).toString('hex')}`));
      const s = Fn.toBytes(Fn.add(nonce, Fn.mul(challenge, secret)));
      const made = { hash, signature: Buffer.concat([r, s]), publicKey: Buffer.from(key).toString('hex') };
      // Euler's criterion.
      return [verdictOf(made), Fp.pow(y, (Fp.ORDER - 1n) / 2n) === 1n];
    });
    const found = await Promise.all(verdicts);
    expect(new Set(found.map(([verdict]) => verdict))).toEqual(new Set([true, false]));
    for (const [verdict, isSquare] of found) expect(verdict).toBe(isSquare);
  });

  it.each([
    ['an r as large as the field', 'fffffffffffffffffffffffffffffffffffffffffffffffffffffffefffffc2f', '01'],
    ['an s as large as the group', '01', 'fffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141'],
  ])('refuses %s', async (_name, r, s) => {
    const bytes = Buffer.from(r.padStart(64, '0') + s.padStart(64, '0'), 'hex');
    expect(verdictOf({ ...one, signature: bytes })).toBe(false);
  });
});
