import { describe, expect, it } from '@jest/globals';
import { readSettings } from '@roundhouse/config';
import { pino } from 'pino';
import { apiSettings } from '../api.config.js';
import { RateLimit } from './rate-limit.service.js';

describe('the rate limit of very many clients', () => {
  it('forgets the least recent ones, and says of them what it says of a client that has not asked', () => {
    const settings = readSettings(apiSettings, { DATABASE_URL: 'postgres://nowhere/index', RATE_LIMIT: '7' });
    const limit = new RateLimit(settings, pino({ level: 'silent' }));
    for (let client = 0; client < 50_001; client += 1) void limit.take(String(client));
    expect(limit.leftTo('1')).toMatchObject({ limit: 7, remaining: 6 });
    expect(limit.leftTo('0')).toMatchObject({ limit: 7, remaining: 7 });
  });
});
