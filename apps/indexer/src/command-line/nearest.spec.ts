import { describe, expect, it } from '@jest/globals';
import { nearest } from './nearest.js';

const COMMANDS = ['run', 'sync', 'status', 'verify', 'rebuild', 'rollback', 'export', 'digest'];

describe('the nearest name', () => {
  it.each([
    ['rollbak', 'rollback'],
    ['verfiy', 'verify'],
    ['staus', 'status'],
    ['snyc', 'sync'],
    ['reb', 'rebuild'],
    ['exprot', 'export'],
  ])('to %s is %s', (typed, expected) => {
    expect(nearest(typed, COMMANDS)).toBe(expected);
  });

  it.each(['serve', 'x', 'deploy', ''])('to %p there is none', (typed) => {
    expect(nearest(typed, COMMANDS)).toBeNull();
  });

  it('there is none where nothing is known', () => {
    expect(nearest('to', [])).toBeNull();
  });
});
