import { describe, expect, it } from '@jest/globals';
import { decodes, parseQuery } from './way.js';

describe('parseQuery', () => {
  it.each<[string, Record<string, string | string[]>]>([
    ['', {}],
    ['a=1&a=2&b&a=3', { a: ['1', '2', '3'], b: '' }],
    ['a=1=2', { a: '1=2' }],
    ['&&a=%26&', { a: '&' }],
    ['a+b=c+d%2B', { 'a b': 'c d+' }],
    ['__proto__=1', { ['__proto__']: '1' }],
    ['q=%C3%BC', { q: 'ü' }],
    ['q=%C3+%zz', { q: '\ufffd %zz' }],
  ])('?%s is read', (text, query) => {
    expect(Object.entries(parseQuery(text))).toEqual(Object.entries(query));
  });
});

describe('decodes', () => {
  it.each([
    ['/x?a=%C3%BC', true],
    ['/%C3%BC#%', true],
    ['/x?a=%C3&b=%BC', false],
    ['/%zz', false],
    ['/x?a=%00', false],
  ])('%s: %s', (target, expected) => {
    expect(decodes(target)).toBe(expected);
  });
});
