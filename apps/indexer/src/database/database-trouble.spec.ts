import { describe, expect, it } from '@jest/globals';
import { OperatorError } from '@roundhouse/config';
import { DatabaseError } from 'pg';
import { adviceFor, explained, withAdvice } from './database-trouble.js';

const failure = (message: string, code?: string): Error => Object.assign(new Error(message), { code });

describe('adviceFor', () => {
  it.each([
    ['53100', 'could not extend file', /disk is full: make room/],
    ['53200', 'out of shared memory', /no memory left/],
    ['53300', 'sorry, too many clients already', /takes no more connections/],
    ['25006', 'cannot execute INSERT in a read-only transaction', /name the primary in DATABASE_URL/],
    ['25006', 'cannot execute INSERT in a read-only transaction', /default_transaction_read_only off/],
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

  it('lets nobody wait for a right that the role lacks, but says what helps', () => {
    const refused = failure('permission denied for table head', '42501');
    expect(adviceFor(refused)).toBeNull();
    expect(withAdvice(refused)).toMatch(
      /^permission denied for table head \(.* lacks a right: name the owner/,
    );
    const answered = Object.assign(new DatabaseError(refused.message, 0, 'error'), { code: '42501' });
    expect(explained(answered)).toBeInstanceOf(OperatorError);
  });

  it('gives no advice for a fault of our own', () => {
    for (const error of [failure('column "x" does not exist', '42703'), failure('no way', 'HEAD_MOVED')]) {
      expect(adviceFor(error)).toBeNull();
      expect(withAdvice(error)).toBe(error.message);
    }
  });
});
