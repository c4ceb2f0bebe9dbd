import { createHash } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { valueOfHex } from './values-of-hex.js';
import { hexOfForm } from './values.js';

const stored = (signature: string): string => hexOfForm('signature', signature);
const restored = (hex: string): string => valueOfHex('signature', hex);

const HIGH = 'f1'.repeat(32);
const LOW = '71'.repeat(32);
/** A number of 31 bytes, with the 0 before it that its first bit needs. */
const SHORT = `00${'f1'.repeat(31)}`;

const der = (r: string, s: string): string => {
  const rest = [r, s]
    .map((number) => `02${(number.length / 2).toString(16).padStart(2, '0')}${number}`)
    .join('');
  return `30${(rest.length / 2).toString(16).padStart(2, '0')}${rest}`;
};

describe('a stored signature', () => {
  it.each([
    ['both numbers low', der(LOW, LOW), LOW + LOW],
    ['r high', der(`00${HIGH}`, LOW), HIGH + LOW],
    ['s high', der(LOW, `00${HIGH}`), LOW + HIGH],
    ['both high', der(`00${HIGH}`, `00${HIGH}`), HIGH + HIGH],
    ['s of 31 bytes and a 0', der(LOW, SHORT), LOW + SHORT],
  ])('is r and s of DER with %s', (_, signature, bytes) => {
    expect(stored(signature)).toBe(bytes);
    expect(restored(bytes)).toBe(signature);
  });

  it.each([
    ['Schnorr', LOW + HIGH],
    ['64 bytes that begin with 0', SHORT + LOW],
    ['63 bytes that begin with 0', (SHORT + LOW).slice(0, -2)],
    ['65 bytes that begin with 0', `00${LOW}${HIGH}`],
    ['a single 0', '00'],
  ])('has a 0 before it if it could be mistaken: %s', (_, signature) => {
    expect(restored(stored(signature))).toBe(signature);
  });

  it.each([
    ['nothing', ''],
    ['one byte', '30'],
    ['a number of 31 bytes', der(LOW.slice(2), LOW)],
    ['a number of 33 bytes', der(`${LOW}71`, LOW)],
    ['a needless 0', der(`00${LOW}`, LOW)],
    ['a missing 0', der(HIGH, LOW)],
    ['another length', der(LOW, LOW).replace(/^3044/, '3045')],
    ['a byte too many', `${der(LOW, LOW)}00`],
    ['a byte too few', der(LOW, LOW).slice(0, -2)],
    ['another type of r', der(LOW, LOW).replace('0220', '0320')],
    ['another type of s', der(LOW, LOW).replace(`${LOW}02`, `${LOW}03`)],
    ['r of 31 bytes and a 0, so r and s would begin with 0', der(SHORT, LOW)],
  ])('is the signature itself if r and s would not give it back: %s', (_, signature) => {
    expect(stored(signature)).toBe(signature);
    expect(restored(signature)).toBe(signature);
  });

  it('always gives the signature back, and no two signatures are stored as the same bytes', () => {
    const bytes = Buffer.concat(
      Array.from({ length: 64 }, (_, index) => createHash('sha512').update(`${index}`).digest()),
    ).toString('hex');
    const signatures = new Set<string>();
    for (let at = 0; at < 2_000; at += 2) {
      const [r, s] = [bytes.slice(at, at + 64), bytes.slice(at + 64, at + 128)];
      for (const first of ['00', '7f', '80', '30'])
        signatures
          .add(der(first + r.slice(2), s))
          .add(der(`00${first}${r.slice(2)}`, `00${s}`))
          .add(first + bytes.slice(at, at + 124 + (at % 8)));
    }
    const all = [...signatures];
    const kept = all.map(stored);
    expect(kept.map(restored)).toEqual(all);
    expect(new Set(kept).size).toBe(all.length);
  });
});
