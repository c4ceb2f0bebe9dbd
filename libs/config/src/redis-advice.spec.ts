import { describe, expect, it } from '@jest/globals';
import { redisAdvice } from './redis-advice.js';

const failure = (name: string, message: string, code = ''): Error =>
  Object.assign(new Error(message), { name, code });

describe('what helps if Redis cannot be used', () => {
  it.each([
    'WRONGPASS invalid username-password pair or user is disabled.',
    "NOPERM User api has no permissions to run the 'evalsha' command",
    "OOM command not allowed when used memory > 'maxmemory'.",
    "READONLY You can't write against a read only replica.",
  ])('is not to start it if it has answered: %s', (message) => {
    expect(redisAdvice(failure('ReplyError', message), 'start Redis')).toBe(
      'correct the user, the password or the settings of Redis',
    );
  });

  it('is to start it, or to correct its TLS, if it has not', () => {
    expect(redisAdvice(failure('Error', 'connect ECONNREFUSED', 'ECONNREFUSED'), 'start Redis')).toBe(
      'start Redis',
    );
    expect(
      redisAdvice(failure('Error', 'certificate has expired', 'CERT_HAS_EXPIRED'), 'start Redis'),
    ).toContain('renew');
  });
});
