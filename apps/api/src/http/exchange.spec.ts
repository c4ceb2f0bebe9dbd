import { describe, expect, it } from '@jest/globals';
import { makeRequestId, requestIdOf } from './exchange.js';

describe('requestIdOf', () => {
  it.each(['a', '8f14e45f-ceea-467f-a0e6-1a2b3c4d5e6f', 'A.b_c-9', 'x'.repeat(128)])(
    'keeps the valid id %s',
    (id) => {
      expect(requestIdOf(id)).toBe(id);
    },
  );

  it.each([undefined, '', 'x'.repeat(129), 'a b', 'a\nb', 'a, b', 'ä', '<b>', ['a', 'b']])(
    'replaces %j with a new id',
    (given) => {
      expect(requestIdOf(given)).toMatch(/^[\da-f]{12}-[\da-z]+$/);
    },
  );

  it('makes a different id each time', () => {
    expect(new Set(Array.from({ length: 100 }, makeRequestId)).size).toBe(100);
  });
});
