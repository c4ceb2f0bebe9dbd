interface Failure {
  readonly code: string;
  readonly message: string;
}

const UNKNOWN_AUTHORITY =
  /^(SELF_SIGNED_CERT_IN_CHAIN|DEPTH_ZERO_SELF_SIGNED_CERT|UNABLE_TO_|CERT_SIGNATURE_FAILURE|CERT_UNTRUSTED)/;

/** Recognises failures by the error codes of Node.js, OpenSSL and PostgreSQL, or by the message if there is no code. */
const ADVICE: readonly { readonly when: (failure: Failure) => boolean; readonly advice: string }[] = [
  {
    when: ({ code }) => UNKNOWN_AUTHORITY.test(code),
    advice:
      "name the certificate of the server's authority in the URL, sslrootcert=/path, or in NODE_EXTRA_CA_CERTS; if it is already named, you have reached another server, or its certificate is from another authority",
  },
  {
    when: ({ code }) => code === 'ERR_TLS_CERT_ALTNAME_INVALID',
    advice:
      'use a host name that the certificate of the server contains, or give the server a certificate for this name',
  },
  {
    when: ({ code }) => code === 'CERT_HAS_EXPIRED' || code === 'CERT_NOT_YET_VALID',
    advice: "renew the server's certificate, or correct this machine's clock",
  },
  {
    when: ({ message }) => message.includes('does not support SSL'),
    advice: 'turn TLS on in the server, or remove sslmode from the URL if you trust the network',
  },
  {
    when: ({ code, message }) => code === '28000' && message.includes('no encryption'),
    advice:
      'the server accepts only encrypted connections: add sslmode=verify-full and sslrootcert=/path to the URL',
  },
  {
    when: ({ code, message }) =>
      (code === '28000' && message.includes('client certificate')) || wantsClientCertificate({ code }),
    advice: 'the server asks for a client certificate: add sslcert=/path and sslkey=/path to the URL',
  },
];

/** Whether the certificate may be right, but no authority that is known here has signed it. */
export const isOfUnknownAuthority = ({ code = '' }: { readonly code?: string }): boolean =>
  UNKNOWN_AUTHORITY.test(code);

/** Whether the server has ended the handshake because it got no certificate. */
export const wantsClientCertificate = ({ code = '' }: { readonly code?: string }): boolean =>
  code.includes('ALERT_CERTIFICATE_REQUIRED');

export const NO_TLS = 'no TLS is spoken there';

/** OpenSSL's message is a line from its log. Returns the reason in it as words; null for any other error. */
export const tlsReason = (error: unknown): string | null => {
  const { reason, message = '' } = error as { readonly reason?: string; readonly message?: string };
  const told = reason ?? /:SSL routines:[^:]*:([^:]+):/.exec(message)?.[1] ?? null;
  return told === 'wrong version number' || told === 'packet length too long' ? NO_TLS : told;
};

/** Returns what an operator can do about a failed TLS connection; null for any other failure. */
export const tlsAdvice = (error: unknown): string | null => {
  const { code = '', message = '' } = error as Partial<Failure>;
  return ADVICE.find(({ when }) => when({ code, message }))?.advice ?? null;
};
