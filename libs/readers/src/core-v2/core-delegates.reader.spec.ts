import { describe, expect, it } from '@jest/globals';
import type { ReaderPool } from '../at-head.js';
import { CoreDelegatesReader } from './core-delegates.reader.js';

describe('CoreDelegatesReader', () => {
  const nowhere: ReaderPool = { query: () => Promise.reject(new Error('not asked')) };

  it.each([
    [true, 'rank', {}],
    [true, 'votes', {}],
    [false, 'rank', { username: 'a' }],
    [false, 'blocks.last.height', {}],
    [false, 'blocks.last.timestamp.unix', {}],
  ])('a page is bounded (%s) by order %s and criteria %j', (isBounded, property, criteria) => {
    const page = { criteria, orderBy: [{ property, direction: 'asc' as const }], limit: 100, offset: 0 };
    expect(new CoreDelegatesReader(nowhere, nowhere).isBounded(page)).toBe(isBounded);
  });
});
