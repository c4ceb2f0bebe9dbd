import { STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import type { ConnectionError } from 'fastify';
import type { Headers } from '../answers/headers.js';
import { lastResponseOwed } from './door.service.js';
import {
  METHOD_NOT_ALLOWED,
  problemWithStatus,
  UNKNOWN_PATH,
  URI_TOO_LONG,
  type Problem,
  type Refusal,
} from './problem.js';
import { decodes, originForm } from './way.js';

/** Node's error for bytes that are not a request. Fastify's type declares `rawPacket` differently from what Node passes. */
type ClientError = Omit<ConnectionError, 'code' | 'rawPacket'> & {
  readonly code?: string;
  readonly rawPacket?: unknown;
};

type IsKnown = (url: string) => boolean;

/** What there is to say on a socket without a request. */
export interface Refusing {
  readonly isKnown: IsKnown;
  readonly refusalOf: (problem: Problem) => Refusal;
  /** The headers of every response. */
  readonly headers: () => Headers;
}

const REQUEST_LINE = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+ (\S+) HTTP\/1\.[01]\r?\n/;

const UNFINISHED_REQUEST_LINE = /^[A-Z]+ \S*$/;

/** The problem of a method that Node's parser does not know, such as FOO. The path decides, as for known methods. */
export const problemOfMethod = (url: string, isKnown: IsKnown): Problem => {
  const target = originForm(url);
  if (!decodes(target)) return problemWithStatus(400);
  return isKnown(target) ? METHOD_NOT_ALLOWED : UNKNOWN_PATH;
};

const HEAD_END = '\r\n\r\n';

/** The beginning of the unreadable message; others may precede it in the same packet. */
const startOf = ({ rawPacket, bytesParsed, code }: ClientError): string => {
  if (!Buffer.isBuffer(rawPacket)) return '';
  const read = rawPacket.subarray(0, bytesParsed);
  let start: number;
  if (code === 'HPE_INVALID_METHOD') {
    start = read.lastIndexOf('\n') + 1;
  } else {
    // If a head ends exactly where the parser gave up, it is the head of this message, not of the previous one.
    const before = read.length > HEAD_END.length ? read.lastIndexOf(HEAD_END, -HEAD_END.length - 1) : -1;
    start = before < 0 ? 0 : before + HEAD_END.length;
  }
  return rawPacket.subarray(start, start + 8192).toString('latin1');
};

const problemOfClientError = (error: ClientError, isKnown: IsKnown): Problem => {
  const head = startOf(error);
  const { code } = error;
  switch (code) {
    case 'ERR_HTTP_REQUEST_TIMEOUT':
      return problemWithStatus(408);
    case 'HPE_CHUNK_EXTENSIONS_OVERFLOW':
      return problemWithStatus(413);
    case 'HPE_HEADER_OVERFLOW':
      return UNFINISHED_REQUEST_LINE.test(head) ? URI_TOO_LONG : problemWithStatus(431);
    case 'HPE_INVALID_METHOD': {
      const url = REQUEST_LINE.exec(head)?.[1];
      return url === undefined ? problemWithStatus(400) : problemOfMethod(url, isKnown);
    }
    default:
      return problemWithStatus(400);
  }
};

const writeRawProblem = (
  socket: Socket,
  problem: Problem,
  { refusalOf, headers }: Refusing,
  isHead = false,
): void => {
  if (!socket.writable) {
    socket.destroy();
    return;
  }
  const { status, body, ...refusal } = refusalOf(problem);
  const own = { date: new Date().toUTCString(), ...refusal.headers, ...headers() };
  const all = { ...own, 'content-length': String(Buffer.byteLength(body)), connection: 'close' };
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}`);
  const head = [`HTTP/1.1 ${status} ${STATUS_CODES[status]}`, ...lines].join('\r\n');
  socket.end(`${head}\r\n\r\n${isHead ? '' : body.toString()}`);
};

/** Connections on which a problem waits for earlier responses. */
const refused = new WeakSet<Socket>();

/** Writes a whole response to a socket that has no request, after the responses that are still due, and closes it. */
export const endWithProblem = (...args: Parameters<typeof writeRawProblem>): void => {
  const [socket] = args;
  const response = lastResponseOwed(socket);
  if (!response) return writeRawProblem(...args);
  // The parser reports each further packet that it cannot read.
  if (refused.has(socket)) return;
  refused.add(socket);
  response.once('finish', () => {
    // Nothing may follow a response that was announced as the last.
    if (socket.writable) writeRawProblem(...args);
  });
};

/** Answers when Node's parser gives up. */
export const clientErrorHandler =
  (refusing: Refusing) =>
  (error: ClientError, socket: Socket): void => {
    if (error.code === 'ECONNRESET' || socket.destroyed) {
      socket.destroy();
      return;
    }
    const isHead = startOf(error).startsWith('HEAD ');
    endWithProblem(socket, problemOfClientError(error, refusing.isKnown), refusing, isHead);
  };
