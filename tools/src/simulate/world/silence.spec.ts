import { beforeEach, describe, expect, it } from '@jest/globals';
import { Silence, type Sight } from './silence.js';

const STILL: Sight = { head: 'a', nodeHead: 'b', canSpeak: true, warnedAt: -Infinity };

describe('the silence of the indexers', () => {
  let silence: Silence;

  beforeEach(() => {
    silence = new Silence();
    expect(silence.isTooLong(STILL, 0)).toBe(false);
  });

  it('is too long after ten seconds below the node, once', () => {
    expect(silence.isTooLong(STILL, 10_000)).toBe(false);
    expect(silence.isTooLong(STILL, 10_001)).toBe(true);
    expect(silence.isTooLong(STILL, 30_000)).toBe(false);
  });

  it('is found again after progress', () => {
    expect(silence.isTooLong(STILL, 11_000)).toBe(true);
    expect(silence.isTooLong({ ...STILL, head: 'c' }, 12_000)).toBe(false);
    expect(silence.isTooLong({ ...STILL, head: 'c' }, 23_000)).toBe(true);
  });

  it.each<[string, Partial<Sight>]>([
    ['the head moves', { head: 'c' }],
    ['the head is the node’s', { nodeHead: 'a' }],
    ['the database does not answer', { head: null }],
    ['no indexer works', { canSpeak: false }],
    ['an indexer says why', { warnedAt: 9_000 }],
  ])('ends when %s', (_, change) => {
    expect(silence.isTooLong({ ...STILL, ...change }, 9_000)).toBe(false);
    expect(silence.isTooLong(STILL, 11_000)).toBe(false);
  });
});
