import { describe, expect, it } from '@jest/globals';
import { describeUnreachable } from './unreachable.js';

const anError = (fields: Record<string, string>): Error =>
  Object.assign(new Error(fields['message']), fields);

const OPENSSL = 'error:0A00010B:SSL routines:ssl3_get_record:wrong version number:../ssl/ssl3_record.c:350:';

describe('why a node cannot be reached', () => {
  it.each<[Record<string, string>, string, string | null]>([
    [{ code: 'ENOTFOUND', message: 'getaddrinfo ENOTFOUND x' }, 'getaddrinfo ENOTFOUND x', null],
    [{ code: 'ECONNREFUSED', message: '' }, 'ECONNREFUSED', null],
    [
      { code: 'EPROTO', message: `write EPROTO 80BC:${OPENSSL}` },
      'no TLS is spoken there',
      'Write http:// in URL',
    ],
    [
      { code: 'ERR_SSL', message: OPENSSL, reason: 'no protocols available' },
      'no protocols available',
      'Write http',
    ],
    [
      { code: 'DEPTH_ZERO_SELF_SIGNED_CERT', message: 'self-signed certificate' },
      'self-signed certificate',
      'NODE_EXTRA',
    ],
  ])('is told in words: %o', (fields, reason, advice) => {
    const told = describeUnreachable(anError(fields), 'URL');
    expect(told.problem).toBe(`cannot be reached (${reason})`);
    if (advice === null) expect(told.advice).toBeNull();
    else expect(told.advice).toContain(advice);
  });
});
