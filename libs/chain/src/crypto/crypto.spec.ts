import { describe, expect, it } from '@jest/globals';
import { secp256k1 } from '@noble/curves/secp256k1.js';
import { curves, sha256 } from './crypto.js';
import type { Curve } from './curve.js';

const { Point } = secp256k1;
const bytes = (hex: string): Buffer => Buffer.from(hex, 'hex');
const scalarOf = (value: bigint): Buffer => bytes(value.toString(16).padStart(64, '0'));

const ORDER = Point.Fn.ORDER;
const SCALARS = [0n, 1n, 2n, ORDER - 1n, ORDER, ORDER + 1n, 2n ** 256n - 1n].map(scalarOf);
const keyOf = (secret: bigint, isCompressed = true) =>
  Buffer.from(Point.BASE.multiply(secret).toBytes(isCompressed));
const hybrid = Buffer.concat([Buffer.of(6), keyOf(3n, false).subarray(1)]);
const POINTS = [
  keyOf(1n),
  keyOf(2n),
  keyOf(ORDER - 1n),
  keyOf(1n, false),
  keyOf(7n, false),
  hybrid,
  bytes(`02${'ff'.repeat(32)}`),
  bytes(`05${'11'.repeat(32)}`),
  Buffer.alloc(33),
  Buffer.alloc(0),
  Buffer.alloc(65, 4),
];
const hash = sha256('hash');
const secret = scalarOf(12_345n);
const signed = secp256k1.sign(hash, secret, { lowS: true });
const SIGNATURES = [
  signed.toBytes('compact'),
  new secp256k1.Signature(signed.r, ORDER - signed.s).toBytes('compact'),
  secp256k1.sign(sha256('other'), secret).toBytes('compact'),
  ...SCALARS.map((scalar) => Buffer.concat([signed.toBytes('compact').subarray(0, 32), scalar])),
  ...SCALARS.map((scalar) => Buffer.concat([scalar, signed.toBytes('compact').subarray(32)])),
  signed.toBytes('compact').subarray(1),
];

const hexOf = (result: Uint8Array | null): string | null => result && Buffer.from(result).toString('hex');

/** All that a curve says of these inputs. */
const verdictsOf = (curve: Curve) => ({
  signatures: SIGNATURES.map((signature) => curve.verifyEcdsa(hash, keyOf(12_345n), signature)),
  converted: POINTS.flatMap((point) => [true, false].map((is) => hexOf(curve.convert(point, is)))),
  points: SCALARS.map((scalar) => hexOf(curve.pointOf(scalar))),
  sums: POINTS.flatMap((one) => POINTS.map((other) => hexOf(curve.add(one, other)))),
  products: POINTS.flatMap((point) => SCALARS.map((scalar) => hexOf(curve.multiply(point, scalar)))),
  shifted: POINTS.flatMap((point) => SCALARS.map((scalar) => hexOf(curve.addScalar(point, scalar)))),
});

describe('the curve', () => {
  it('is native on this platform if the package has a binary for it', () => {
    const hasBinary = ['linux-x64', 'darwin-arm64', 'win32-x64'].includes(
      `${process.platform}-${process.arch}`,
    );
    expect(curves.map(({ name }) => name)).toEqual([
      ...(hasBinary ? ['libsecp256k1'] : []),
      'libsecp256k1 as WebAssembly',
    ]);
  });

  it.each(curves.map((curve) => [curve.name, curve] as const))(
    'gives the same for every input, right or wrong: %s',
    (_, curve) => {
      expect(verdictsOf(curve)).toEqual(verdictsOf(curves.at(-1)!));
    },
  );

  it.each(curves.map((curve) => [curve.name, curve] as const))(
    'computes as another library does: %s',
    (_, curve) => {
      const { signatures, points, sums } = verdictsOf(curve);
      // A large s is valid.
      expect(signatures.slice(0, 3)).toEqual([true, true, false]);
      expect(signatures.slice(3).filter(Boolean)).toEqual([]);
      expect(points.slice(0, 3)).toEqual([
        null,
        ...[1n, 2n].map((value) => keyOf(value, false).toString('hex')),
      ]);
      expect(points.slice(4)).toEqual([null, null, null]);
      // 1 + 1, 1 + 2 and 1 + (n - 1), the point at infinity.
      expect(sums.slice(0, 3)).toEqual([
        keyOf(2n, false).toString('hex'),
        keyOf(3n, false).toString('hex'),
        null,
      ]);
    },
  );
});
