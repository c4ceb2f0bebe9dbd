import { describe, expect, it } from '@jest/globals';
import { OVERVIEW, readLocation, writeLocation } from './location.js';

const read = (query: string) => readLocation(new URLSearchParams(query));

describe('the address of the page', () => {
  it.each([
    '/',
    '/?q=gen',
    '/?orderBy=vote%3Adesc',
    '/?q=a%26b&orderBy=missedblocks%3Aasc&offset=100',
    '/?delegate=genesis_1',
    '/?delegate=%3Cb%3E&offset=50',
    '/?block=17184958558311101492',
    '/?block=17184958558311101492&cursor=AbC-_1',
    '/?account=AHXtmB84sTZ9Zd35h9Y1vfFvPE2Xzqj8ri&cursor=AbC-_1',
    '/?account=a%40b',
    '/?transaction=abcdef',
  ])('reads %s and writes the same', (address) => {
    expect(writeLocation(read(address.slice(2)))).toBe(address);
  });

  it.each([
    'orderBy=nonsense',
    'offset=x',
    'offset=-1',
    'x=1',
    'q=',
    'delegate=',
    'block=',
    'account=',
    'transaction=',
  ])('ignores what it does not understand: %s', (query) => expect(read(query)).toEqual(OVERVIEW));

  it('uses the last of two orders, which is that of the pressed button', () => {
    expect(read('orderBy=rank:asc&orderBy=forged:desc')).toMatchObject({
      list: { order: { column: 'forged', direction: 'desc' } },
    });
  });

  it('cuts a search text to the length of a public key', () => {
    expect(read(`q=${'Ѧ'.repeat(80)}`)).toMatchObject({ list: { search: 'Ѧ'.repeat(66) } });
  });
});
