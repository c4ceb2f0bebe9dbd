import {
  isOfUnknownAuthority,
  NO_TLS,
  tlsAdvice,
  tlsReason,
  wantsClientCertificate,
} from '@roundhouse/config';

interface Unreachable {
  /** The rest of a sentence that begins with the node's name. */
  readonly problem: string;
  /** A sentence; null if only the usual advice helps. */
  readonly advice: string | null;
}

/** Never advises less security than there is: http:// only if the node speaks no TLS. */
const adviceFor = (error: NodeJS.ErrnoException, reason: string | null, setting: string): string | null => {
  if (reason === NO_TLS)
    return `Write http:// in ${setting} if the node has no TLS, or name the port that has it.`;
  // Unlike a database's, a node's URL holds no certificates.
  if (isOfUnknownAuthority(error))
    return `If you trust it, name the certificate of its authority in NODE_EXTRA_CA_CERTS; otherwise correct ${setting}.`;
  if (wantsClientCertificate(error))
    return `The node asks for a client certificate, and there is none to show: name an address in ${setting} that asks for none.`;
  const advice = tlsAdvice(error);
  return advice && `${advice[0]!.toUpperCase()}${advice.slice(1)}.`;
};

/** Describes an error of Node.js that is no timeout. `setting` names the node. */
export const describeUnreachable = (error: NodeJS.ErrnoException, setting: string): Unreachable => {
  const { code = '', message } = error;
  const reason = tlsReason(error);
  return {
    // If a name has several addresses, the error for all of them together has no message.
    problem: `cannot be reached (${reason ?? (message || code)})`,
    advice: adviceFor(error, reason, setting),
  };
};
