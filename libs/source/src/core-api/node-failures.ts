import {
  isOfUnknownAuthority,
  NO_TLS,
  tlsAdvice,
  tlsReason,
  wantsClientCertificate,
} from '@roundhouse/config';
import {
  AnswerTooLongError,
  NodeProtocolError,
  NodeUnavailableError,
  type UnavailableKind,
} from '../errors/node-errors.js';
import type { NodeRequest } from './core-line.js';
import type { RawAnswer } from './node-http-options.js';
import type { PageBound } from './page-bound.js';

/** How much of a path or an answer a message shows: one path may name 60 blocks. */
export const SHOWN_CHARACTERS = 200;

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

const KINDS: Readonly<Record<string, UnavailableKind>> = { ECONNREFUSED: 'refused', ABORT_ERR: 'timeout' };

export const GRANTS_NO_MORE =
  'grants this address no more requests for now; requests of other programs at this address count as well';

/** What is wrong with an answer, as the rest of a sentence, and what to do; null if nothing is. */
const problemOf = (
  { isTrial }: NodeRequest,
  { status, headers, text }: RawAnswer,
  setting: string,
): string | null => {
  const { location, 'content-encoding': encoding = 'identity' } = headers;
  if (status >= 300 && status < 400 && location !== undefined)
    return `with status ${status} and leads to ${location}: name that server in ${setting}.`;
  if (encoding !== 'identity')
    return `compressed (${encoding}), which was not asked for: correct the proxies between here and the node.`;
  const isRefused = status === 400 || status === 422;
  if (status === 200 || status === 404 || (isRefused && isTrial)) return null;
  return (
    `with status ${status}: ${text.slice(0, SHOWN_CHARACTERS)}. ` +
    `Check that ${setting} is the public API of a Core node of line 2.x or 3.x.`
  );
};

/** Makes the errors that say why a node gives no answer, or which answer cannot be used. */
export class NodeFailures {
  constructor(
    private readonly name: string,
    private readonly setting: string,
    private readonly onUnavailable?: (error: NodeUnavailableError) => void,
  ) {}

  tooLong(path: string, { bytes, reason }: PageBound): AnswerTooLongError {
    return new AnswerTooLongError(
      this.name,
      `${this.name} answered ${path.slice(0, SHOWN_CHARACTERS)} with more than ${Math.floor(bytes / 1024 / 1024)} MiB. That is more than a page can have: ${reason}. ` +
        `Check the proxies between here and the node, or name another node in ${this.setting}.`,
    );
  }

  /** Throws unless the answer has the status 200 or 404, or refuses a trial. */
  assertUsable(request: NodeRequest, answer: RawAnswer): void {
    const { status } = answer;
    if (status >= 500) throw this.unavailable('http-5xx', `answered ${request.path} with status ${status}`);
    const problem = problemOf(request, answer, this.setting);
    if (problem !== null) throw this.refused(request, problem);
  }

  noJson(request: NodeRequest, text: string, cause: unknown): NodeProtocolError {
    const start = text.slice(0, SHOWN_CHARACTERS);
    const problem = `with invalid JSON: ${start}. Check that ${this.setting} is the public API of a Core node.`;
    return this.refused(request, problem, { cause });
  }

  /** `error` is of Node.js, or one that says it all. */
  unreachable(error: NodeJS.ErrnoException, isClosed: boolean, timeoutMs: number): Error {
    if (error instanceof NodeProtocolError || error instanceof NodeUnavailableError) return error;
    if (isClosed) {
      return this.unavailable('unreachable', 'gets no more requests, because this source was closed', {
        cause: error,
      });
    }
    const { code = '', message } = error;
    const kind = KINDS[code] ?? 'unreachable';
    if (kind === 'timeout') {
      return this.unavailable(kind, `did not answer within ${timeoutMs} ms (${message})`, { cause: error });
    }
    const { problem, advice } = describeUnreachable(error, this.setting);
    return this.unavailable(kind, problem, { cause: error, advice });
  }

  /** No request was made, so it is not reported as a failure of the node. */
  paused(retryAfterMs: number): NodeUnavailableError {
    return new NodeUnavailableError(this.name, 'rate-limited', `${this.name} ${GRANTS_NO_MORE}.`, {
      retryAfterMs,
    });
  }

  unavailable(
    kind: UnavailableKind,
    problem: string,
    options: ErrorOptions & {
      readonly retryAfterMs?: number | undefined;
      readonly advice?: string | null;
    } = {},
  ): NodeUnavailableError {
    const { retryAfterMs, advice, ...rest } = options;
    const error = new NodeUnavailableError(
      this.name,
      kind,
      `${this.name} ${problem}. ${advice ?? `Check that the node runs and that ${this.setting} names it.`}`,
      retryAfterMs === undefined ? rest : { ...rest, retryAfterMs },
    );
    this.onUnavailable?.(error);
    return error;
  }

  private refused({ path }: NodeRequest, problem: string, options?: ErrorOptions): NodeProtocolError {
    return new NodeProtocolError(this.name, `${this.name} answered ${path} ${problem}`, options);
  }
}
