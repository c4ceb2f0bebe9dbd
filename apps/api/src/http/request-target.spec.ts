import { describe, expect, it } from '@jest/globals';
import { matchesRoute, parseRequestTarget, pathParameters } from './request-target.js';

const parse = (url: string) => {
  const target = parseRequestTarget(url);
  return target && { path: target.path, query: Object.fromEntries(target.query) };
};

describe('parameters of a path', () => {
  const ROUTE = '/api/accounts/:account/transactions';
  const valuesIn = (url: string) => {
    const target = parseRequestTarget(url)!;
    return matchesRoute(ROUTE.split('/'), target.path)
      ? Object.fromEntries(pathParameters(ROUTE, target))
      : null;
  };

  it.each([
    ['/api/accounts/AbC/transactions', 'AbC'],
    ['/API/Accounts/AbC/Transactions/?x=1', 'AbC'],
    ['http://here/api/accounts/AbC/transactions#x', 'AbC'],
    ['/api/accounts/a%40b%24%26/transactions', 'a@b$&'],
    ['/api/accounts/a%2Fb/transactions', 'a/b'],
    ['/api/accounts/%25/transactions', '%'],
    ['/api/accounts/a+b/transactions', 'a+b'],
    ['/api/acc%6funts/%F0%9F%98%80/transactions', '😀'],
  ])('%s names %s, in its own case', (url, account) => {
    expect(valuesIn(url)).toEqual({ account: [account] });
  });

  it.each([
    '/api/accounts//transactions',
    '/api/accounts/transactions',
    '/api/accounts/a/transactions/b',
    '/api/accounts/a/b/transactions',
    '/api/accounts/a%2Ftransactions',
  ])('%s is another path', (url) => {
    expect(valuesIn(url)).toBeNull();
  });
});

describe('parseRequestTarget', () => {
  it.each([
    ['/api/blocks', '/api/blocks'],
    ['/API/Blocks/', '/api/blocks'],
    ['/api/%62locks', '/api/blocks'],
    ['/api%2Fblocks', '/api%2fblocks'],
    ['http://here:80/api/blocks', '/api/blocks'],
    ['http://here', '/'],
    ['http://here#x', '/'],
    ['/bloc%E2%84%AAs', '/bloc\u212as'],
    ['/%C3%9C', '/\u00dc'],
    ['/', '/'],
    ['//', '/'],
    ['/a//', '/a/'],
    ['*', '*'],
  ])('%s has the path %s', (url, path) => {
    expect(parse(url)).toEqual({ path, query: {} });
  });

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

  it.each(['/%', '/%zz', '/%ff', '/?a=%', '/?%zz', '/?a=%c3', '/%00', '/?a=%00', '/?%00=a'])(
    '%s is malformed',
    (url) => {
      expect(parse(url)).toBeNull();
    },
  );
});
