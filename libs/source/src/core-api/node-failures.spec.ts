import { describe, expect, it } from '@jest/globals';
import { describeUnreachable } from './node-failures.js';

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
    [{ code: 'ERR_SSL', message: OPENSSL, reason: 'no protocols available' }, 'no protocols available', null],
    [
      {
        code: 'ERR_TLS_CERT_ALTNAME_INVALID',
        message:
          "Hostname/IP does not match certificate's altnames: Host: x. is not in the cert's altnames: DNS:y",
        reason: "Host: x. is not in the cert's altnames: DNS:y",
      },
      "Host: x. is not in the cert's altnames: DNS:y",
      'Use a host name that the certificate of the server contains, or give the server a certificate for this name.',
    ],
    [
      { code: 'CERT_HAS_EXPIRED', message: 'certificate has expired' },
      'certificate has expired',
      "Renew the server's certificate, or correct this machine's clock.",
    ],
    [
      {
        code: 'ERR_SSL_TLSV13_ALERT_CERTIFICATE_REQUIRED',
        message: OPENSSL,
        reason: 'tlsv13 alert certificate required',
      },
      'tlsv13 alert certificate required',
      'name an address in URL that asks for none',
    ],
    [
      {
        code: 'ERR_SSL_SSL/TLS_ALERT_HANDSHAKE_FAILURE',
        message: OPENSSL,
        reason: 'ssl/tls alert handshake failure',
      },
      'ssl/tls alert handshake failure',
      null,
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
