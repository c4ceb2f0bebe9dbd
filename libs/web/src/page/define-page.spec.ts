import { describe, expect, it } from '@jest/globals';
import { PAGES } from '../pages/index.js';
import { accountHref, delegateHref, newAddressOf } from './addresses.js';

const asked = (path: string, name = '', query: Record<string, string> = {}) =>
  PAGES.find((page) => page.path === path)!.asked(name, query);

describe('the address of a page', () => {
  it.each([
    ['/delegates', '', { q: 'a&b', orderBy: 'missedblocks:asc', offset: '100' }],
    ['/delegates/:name', '<b>', { offset: '50' }],
    ['/blocks/:name', '17184958558311101492', { cursor: 'AbC-_1' }],
  ] as const)('has all that the page takes: %s', (path, name, query) => {
    const { address } = asked(path, name, query);
    expect(Object.fromEntries(new URL(address, 'http://here').searchParams)).toEqual(query);
    expect(address.startsWith(path.replace(':name', encodeURIComponent(name)))).toBe(true);
  });

  it.each([
    ['orderBy', 'nonsense'],
    ['orderBy', 'rank'],
    ['offset', 'x'],
    ['offset', '-1'],
    ['offset', '0'],
    ['x', '1'],
    ['q', ' '],
  ])('has nothing that the page does not understand: %s=%s', (name, value) =>
    expect(asked('/delegates', '', { [name]: value }).address).toBe('/delegates'),
  );

  it('leads to the same page with other values', () => {
    const { to } = asked('/delegates', '', { q: 'gen', offset: '100' });
    expect(to({ orderBy: 'vote:desc', offset: '' })).toBe('/delegates?q=gen&orderBy=vote%3Adesc');
  });

  it.each(['a/b', 'Genesis%2', '..', '.', '-', 'ü?#'])('names %s so that it is read again', (name) => {
    const { pathname, searchParams } = new URL(delegateHref(name), 'http://here');
    const segments = pathname.split('/');
    expect(segments).toHaveLength(3);
    const read = asked(
      '/delegates/:name',
      decodeURIComponent(segments[2]!),
      Object.fromEntries(searchParams),
    );
    expect(read.name).toBe(name);
    expect(read.address).toBe(delegateHref(name));
  });

  it('cuts a search text to the length of a public key', () =>
    expect(asked('/search', '', { q: 'Ѧ'.repeat(80) }).query['q']).toBe('Ѧ'.repeat(66)));
});

describe('an old address', () => {
  it.each([
    [{ block: '7' }, '/blocks/7'],
    [{ delegate: 'a b' }, '/delegates/a%20b'],
    [{ account: 'D1' }, accountHref('D1')],
    [{ transaction: 'ab' }, '/transactions/ab'],
    [{ q: 'gen', offset: '5' }, '/search?q=gen'],
    [{ orderBy: 'vote:desc', offset: '100' }, '/delegates?orderBy=vote%3Adesc&offset=100'],
  ] as const)('%j leads to %s', (query, address) => expect(newAddressOf(query)).toBe(address));

  it('is none without such a parameter', () => {
    expect(newAddressOf({})).toBeNull();
    expect(newAddressOf({ block: '', x: '1' })).toBeNull();
  });
});
