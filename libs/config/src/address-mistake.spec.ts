import { describe, expect, it } from '@jest/globals';
import { addressMistake } from './address-mistake.js';
import { databaseUrl } from './database-url.js';
import { redisUrl } from './redis-url.js';

const MISTYPED = [
  'SCHEME//bob:hunter2@db.example/index',
  'SCHEME:/bob:hunter2@db.example/index',
  'SCHEME:bob:hunter2@db.example/index',
  'SCHEME:///bob:hunter2@db.example/index',
  'SCHEME://bob:12/hunter2@db.example/index',
  'SCHEME://bob:12?hunter2@db.example/index',
  'SCHEME://bob:12#hunter2@db.example/index',
  'SCHEME://bob:12/34?hunter2@db.example/index',
  'SCHEME://bob:hunter2%@db.example/index',
  'SCHEME://bob%zz:hunter2@db.example/index',
  'SCHEME://bob:hunter2@db.example/in%dex',
];

describe('a mistyped address', () => {
  it.each(MISTYPED)('is refused with a message that repeats no part of it: %s', (template) => {
    for (const [scheme, schema] of [
      ['postgres', databaseUrl],
      ['rediss', redisUrl],
    ] as const) {
      const { error } = schema.safeParse(template.replace('SCHEME', scheme));
      expect(error?.issues).toHaveLength(1);
      expect(error?.issues[0]?.message).toMatch(/^(it must be a URL that begins with|its user and|its %)/);
      expect(error?.issues[0]?.message).not.toMatch(/hunter2|bob|db\.example/);
    }
  });

  it.each([
    'postgres://me:hunter2@db.example/index?application_name=a@b',
    'postgres://me:a%2Fb%40c%25@db.example:5432/index',
    'postgres://me:a@b@db.example/index',
    'postgres:///index?host=/var/run/postgresql',
    'postgres://db.example',
    'redis://:hunter2@redis.example:6380/2',
  ])('is not reported for a correct one: %s', (url) => expect(addressMistake(new URL(url))).toBeNull());
});
