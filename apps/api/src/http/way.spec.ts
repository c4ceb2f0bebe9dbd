import { describe, expect, it } from '@jest/globals';
import { CONTRACT, decodes, parseQuery, restoreParameters } from './way.js';

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
    ['?q=%zz', { '?q': '%zz' }],
  ])('?%s is read', (text, query) => {
    expect(Object.entries(parseQuery(`/x?${text}`))).toEqual(Object.entries(query));
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

describe('a letter that the router would take for one of ASCII', () => {
  it.each([
    ['/api/accounts/%C4%B0x/transactions?q=%C4%B0', '/api/accounts/%EF%BF%BDx/transactions?q=%C4%B0', 'İx'],
    ['/api/accounts/%E2%84%AA/transactions', '/api/accounts/%EF%BF%BD/transactions', '\u212a'],
    ['/API/accounts/K/transactions', '/API/accounts/K/transactions', 'K'],
  ])('%s is looked up as %s, and names %s', (originalUrl, lookedUp, account) => {
    const params = { account: decodeURIComponent(lookedUp.split('/')[3]!) };
    expect(CONTRACT.pathOf(originalUrl)).toBe(lookedUp);
    restoreParameters(originalUrl.split('?', 1)[0]!, '/api/accounts/:account/transactions', params);
    expect(params.account).toBe(account);
  });
});
