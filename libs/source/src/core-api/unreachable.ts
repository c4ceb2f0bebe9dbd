import { tlsReason } from '@roundhouse/config';

interface Unreachable {
  /** The rest of a sentence that begins with the node's name. */
  readonly problem: string;
  /** A sentence; null if only the usual advice helps. */
  readonly advice: string | null;
}

/** Describes an error of Node.js that is no timeout. `setting` names the node. */
export const describeUnreachable = (error: NodeJS.ErrnoException, setting: string): Unreachable => {
  const { code = '', message } = error;
  const reason = tlsReason(error);
  // If a name has several addresses, the error for all of them together has no message.
  const problem = `cannot be reached (${reason ?? (message || code)})`;
  if (reason !== null)
    return {
      problem,
      advice: `Write http:// in ${setting} if the node has no TLS, or name the port that has it.`,
    };
  if (/CERT|^UNABLE_TO_/.test(code))
    return {
      problem,
      advice: `If you trust it, name the certificate of its authority in NODE_EXTRA_CA_CERTS; otherwise correct ${setting}.`,
    };
  return { problem, advice: null };
};
