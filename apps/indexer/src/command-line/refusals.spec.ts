import { describe, expect, it } from '@jest/globals';
import { nearest } from './refusals.js';

const COMMANDS = ['run', 'sync', 'status', 'verify', 'rebuild', 'rollback', 'export', 'digest'];

describe('nearest', () => {
  it.each([
    ['rollbak', 'rollback'],
    ['verfiy', 'verify'],
    ['staus', 'status'],
    ['snyc', 'sync'],
    ['reb', 'rebuild'],
    ['exprot', 'export'],
  ])('finds for %s the name %s', (typed, expected) => {
    expect(nearest(typed, COMMANDS)).toBe(expected);
  });

  it.each(['serve', 'x', 'deploy', ''])('finds nothing for %p', (typed) => {
    expect(nearest(typed, COMMANDS)).toBeNull();
  });

  it('finds nothing if no name is known', () => {
    expect(nearest('to', [])).toBeNull();
  });
});
