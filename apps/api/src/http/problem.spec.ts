import { describe, expect, it } from '@jest/globals';
import { InvalidRequestError } from '@roundhouse/dto';
import { DatabaseUnavailableError } from '@roundhouse/storage';
import { NotFoundError } from '../answers/not-found.error.js';
import { NotReadyError } from '../chain/not-ready.error.js';
import { problemBody, problemOf } from './problem.js';

const SECRET = 'connect ECONNREFUSED /var/run/secret.sock: SELECT password FROM users';

describe('problemOf', () => {
  it.each([
    [new InvalidRequestError('wrong'), 400],
    [new NotFoundError('none'), 404],
    [new NotReadyError('soon'), 503],
    [new DatabaseUnavailableError(new Error(SECRET)), 503],
    [new Error(SECRET), 500],
    [SECRET, 500],
    [null, 500],
    [Object.assign(new Error(SECRET), { statusCode: 413 }), 413],
    [Object.assign(new Error(SECRET), { status: 404 }), 404],
    [Object.assign(new Error(SECRET), { statusCode: 403 }), 403],
    [Object.assign(new Error(SECRET), { statusCode: 412 }), 412],
    [Object.assign(new Error(SECRET), { status: 416 }), 416],
    [Object.assign(new Error(SECRET), { statusCode: 418 }), 500],
  ])('%s is %i, and reveals nothing internal', (error, status) => {
    const problem = problemOf(error);
    expect(problem.status).toBe(status);
    expect(problem.error).not.toContain('SELECT');
    expect(JSON.parse(problemBody(problem).toString())).toEqual({ success: false, error: problem.error });
  });

  it('says when to try again if the answer is only late', () => {
    expect(problemOf(new NotReadyError('soon')).headers).toEqual(['Retry-After', '1']);
    expect(problemOf(new DatabaseUnavailableError(new Error('x'))).headers).toEqual(['Retry-After', '1']);
  });
});
