import { describe, expect, it } from '@jest/globals';
import { z } from 'zod';
import { misspelt } from './misspelt.js';
import type { Setting } from './settings.js';

const setting = (isSecret = false): Setting => ({ schema: z.any(), description: '', default: '', isSecret });

const settings = {
  PORT: setting(),
  RATE_LIMIT: setting(),
  REDIS_URL: setting(true),
  BLOCK_SOURCE: setting(true),
};

describe('misspelt', () => {
  it.each([
    ['RATE_LIMTI', 'RATE_LIMIT'],
    ['BLOCKSOURCE', 'BLOCK_SOURCE'],
    ['BLOCK_SOURCES', 'BLOCK_SOURCE'],
    ['BLOCK_SOURCE_FIEL', 'BLOCK_SOURCE_FILE'],
    ['REIDS_URL', 'REDIS_URL'],
  ])('says that %s is no setting, and %s is one', (name, meant) => {
    expect(misspelt(settings, { [name]: 'x', PATH: '/bin' })).toEqual([
      `${name} is no setting and has no effect: ${meant} is one.`,
    ]);
  });

  it.each([
    'PORT',
    'BLOCK_SOURCE_FILE',
    'SORT',
    'POST',
    'HOST',
    'HOME',
    'DATABASE_URL',
    'REDIS_HOST',
    'RATE',
  ])('says nothing of %s', (name) => {
    expect(misspelt(settings, { [name]: 'x' })).toEqual([]);
  });
});
