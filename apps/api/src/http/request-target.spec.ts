import { describe, expect, it } from '@jest/globals';
import { parseRequestTarget } from './request-target.js';

const parse = (url: string) => {
  const target = parseRequestTarget(url);
  return target && { path: target.path, query: Object.fromEntries(target.query) };
};

describe('parseRequestTarget', () => {
  it.each<[string, Record<string, string[]>]>([
    ['', {}],
    ['a=1&a=2&b', { a: ['1', '2'], b: [''] }],
    ['a=1=2', { a: ['1=2'] }],
    ['&&a=%26&', { a: ['&'] }],
    ['a+b=c+d%2B', { 'a b': ['c d+'] }],
    ['a=1#b=2', { a: ['1'] }],
    ['__proto__=1', { ['__proto__']: ['1'] }],
    ['q=%C3%BC', { q: ['ü'] }],
  ])('?%s is read', (text, query) => {
    expect(Object.entries(parse(`/x?${text}`)!.query)).toEqual(Object.entries(query));
  });
});
