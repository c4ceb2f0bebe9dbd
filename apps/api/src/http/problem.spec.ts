import { describe, expect, it } from '@jest/globals';
import { problemOf, refusalOf } from './problem.js';

const SECRET = 'connect ECONNREFUSED /var/run/secret.sock: SELECT password FROM users';

describe('problemOf', () => {
  it.each([
    [SECRET, 500],
    [null, 500],
    [Object.assign(new Error(SECRET), { statusCode: 413 }), 413],
    [Object.assign(new Error(SECRET), { statusCode: 418 }), 500],
  ])('%s is %i, and reveals nothing internal', (error, status) => {
    const problem = problemOf(error);
    expect(problem.status).toBe(status);
    expect(problem.error).not.toContain('SELECT');
    expect(JSON.parse(refusalOf(problem).body.toString())).toEqual({ success: false, error: problem.error });
  });
});
