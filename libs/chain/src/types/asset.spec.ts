import { isDeepStrictEqual } from 'node:util';
import { describe, expect, it } from '@jest/globals';
import { parseLosslessJson } from '../fields/fields.js';
import type { TransactionAsset } from '../transactions/transaction.js';
import { decodeAsset } from './of-type.js';

const decoded = (asset: unknown): TransactionAsset | null => decodeAsset({ asset }, 1001, 7);

describe('the asset of an unknown type', () => {
  it.each<[number: string, kept: unknown]>([
    ['1e20', '100000000000000000000'],
    ['100000000000000000000', '100000000000000000000'],
    ['1e21', '1000000000000000000000'],
    ['-1.5e300', BigInt(-1.5e300).toString()],
    ['9007199254740993', '9007199254740993'],
    ['9007199254740992.0', '9007199254740992'],
    ['9007199254740991', Number.MAX_SAFE_INTEGER],
    ['1e3', 1000],
    ['0.1', 0.1],
    ['1e-7', 1e-7],
    ['5e-324', 5e-324],
    ['0.1234567890123456789012345', 0.12345678901234568],
    ['1234567890123456.5', 1234567890123456.5],
    ['-0', 0],
    // JSON has no word for what these would be.
    ['1e400', null],
    ['-1e400', null],
  ])('is the same after it was stored and read again, with the number %s', (number, kept) => {
    const asset = decoded(parseLosslessJson(`{"x":[${number},{"y":${number}}]}`));
    expect(asset).toEqual({ other: { x: [kept, { y: kept }] } });
    const read = parseLosslessJson(JSON.stringify(asset)) as TransactionAsset;
    expect(isDeepStrictEqual(read, asset)).toBe(true);
    expect(isDeepStrictEqual(decoded(read.other), asset)).toBe(true);
  });
});
