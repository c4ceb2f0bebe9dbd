interface Failure {
  readonly code: string;
  readonly message: string;
}

/** What failed, told by error codes of Node.js, OpenSSL and PostgreSQL, or by words where there is no code. */
const ADVICE: readonly { readonly when: (failure: Failure) => boolean; readonly advice: string }[] = [
  {
    when: ({ code }) =>
      /^(SELF_SIGNED_CERT_IN_CHAIN|DEPTH_ZERO_SELF_SIGNED_CERT|UNABLE_TO_|CERT_SIGNATURE_FAILURE)/.test(code),
    advice:
      "name the certificate of the server's authority in the URL, sslrootcert=/path, or in NODE_EXTRA_CA_CERTS; if it is named, this is another server or another authority",
  },
  {
    when: ({ code }) => code === 'ERR_TLS_CERT_ALTNAME_INVALID',
    advice: 'reach the server by a name that its certificate holds, or give it a certificate for this name',
  },
  {
    when: ({ code }) => code === 'CERT_HAS_EXPIRED' || code === 'CERT_NOT_YET_VALID',
    advice: "renew the server's certificate, or set this machine's clock",
  },
  {
    when: ({ message }) => message.includes('does not support SSL'),
    advice: 'turn TLS on in the server, or take sslmode out of the URL where the network is trusted',
  },
  {
    when: ({ code, message }) => code === '28000' && message.includes('no encryption'),
    advice:
      'the server takes encrypted connections alone: add sslmode=verify-full and sslrootcert=/path to the URL',
  },
  {
    when: ({ code, message }) =>
      (code === '28000' && message.includes('client certificate')) ||
      code.includes('ALERT_CERTIFICATE_REQUIRED'),
    advice: 'the server asks for a certificate of ours: add sslcert=/path and sslkey=/path to the URL',
  },
];

/** What an operator can do about a connection that failed over TLS; null where the failure is another. */
export const tlsAdvice = (error: unknown): string | null => {
  const { code = '', message = '' } = error as Partial<Failure>;
  return ADVICE.find(({ when }) => when({ code, message }))?.advice ?? null;
};
