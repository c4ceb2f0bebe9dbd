import { describe, expect, it } from '@jest/globals';
import { adviceFor, withAdvice } from './database-trouble.js';

const failure = (message: string, code?: string): Error => Object.assign(new Error(message), { code });

describe('adviceFor', () => {
  it.each([
    ['53100', 'could not extend file', /disk is full: make room/],
    ['53200', 'out of shared memory', /no memory left/],
    ['53300', 'sorry, too many clients already', /takes no more connections/],
    ['25006', 'cannot execute INSERT in a read-only transaction', /name the primary in DATABASE_URL/],
    ['25006', 'cannot execute INSERT in a read-only transaction', /default_transaction_read_only off/],
    ['42501', 'permission denied for table head', /lacks a right: name the owner/],
    ['57P01', 'terminating connection due to administrator command', /stopping, starting/],
    ['57014', 'canceling statement due to statement timeout', /took too long/],
    ['55P03', 'canceling statement due to lock timeout', /check who holds it/],
    ['ECONNREFUSED', '', /cannot be reached/],
    [undefined, 'Connection terminated unexpectedly', /cannot be reached/],
    [undefined, 'timeout exceeded when trying to connect', /cannot be reached/],
    [undefined, 'Query read timeout', /cannot be reached/],
  ])('says what helps for an error of code %s, "%s"', (code, message, advice) => {
    expect(adviceFor(failure(message, code))).toMatch(advice);
    expect(withAdvice(failure(message, code))).toMatch(message || code!);
  });

  it('gives no advice for a fault of our own', () => {
    for (const error of [failure('column "x" does not exist', '42703'), failure('no way', 'HEAD_MOVED')]) {
      expect(adviceFor(error)).toBeNull();
      expect(withAdvice(error)).toBe(error.message);
    }
  });
});
