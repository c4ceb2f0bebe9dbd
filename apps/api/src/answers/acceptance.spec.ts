import { describe, expect, it } from '@jest/globals';
import { acceptanceOf } from './acceptance.js';

describe('acceptanceOf', () => {
  it.each<[string | undefined, string | null]>([
    [undefined, null],
    ['', null],
    ['identity', null],
    ['deflate, zstd', null],
    ['gzip', 'gzip'],
    ['br', 'br'],
    ['BR', 'br'],
    ['*', 'br'],
    ['gzip, deflate, br', 'br'],
    ['gzip, deflate, br, zstd', 'br'],
    ['gzip;q=1.0, br;q=0.5', 'gzip'],
    ['br;q=0.001', 'br'],
    ['br;q=0, *', 'gzip'],
    ['br;q=0, gzip;q=0', null],
    ['gzip;q=0', null],
    ['gzip;q=0.5, identity;q=0.9', null],
    ['gzip;q=x', null],
    [`${'zstd, '.repeat(100)}gzip`, 'gzip'],
  ])('finds in "%s" the preferred coding %s', (header, coding) => {
    expect(acceptanceOf(header)).toEqual({ coding, takesIdentity: true });
    expect(acceptanceOf(header)).toEqual({ coding, takesIdentity: true });
  });

  it.each<[string, string]>([
    ['gzip, identity;q=0', 'gzip'],
    ['br;q=0.1, *;q=0', 'br'],
  ])('finds in "%s" only the coding %s', (header, coding) => {
    expect(acceptanceOf(header)).toEqual({ coding, takesIdentity: false });
  });

  it.each(['*;q=0', 'identity;q=0', 'identity;q=0, deflate'])(
    'gives the plain bytes to a client that accepts no form: %s',
    (header) => {
      expect(acceptanceOf(header)).toEqual({ coding: null, takesIdentity: true });
    },
  );
});
