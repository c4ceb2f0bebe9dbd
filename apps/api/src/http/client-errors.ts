import { STATUS_CODES, type IncomingMessage, type Server } from 'node:http';
import type { Socket } from 'node:net';
import type { ConnectionError } from 'fastify';
import { lastResponseOwed, makeRequestId, requestIdOf, type Door } from './door.service.js';
import { problemWithStatus, type Problem } from './problem.js';
import { decodes, originForm, type Way } from './way.js';

/** Node's error for bytes that are not a request. Fastify's type declares `rawPacket` differently from what Node passes. */
type ClientError = Omit<ConnectionError, 'code' | 'rawPacket'> & {
  readonly code?: string;
  readonly rawPacket?: unknown;
};

const REQUEST_LINE = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+ (\S+) HTTP\/1\.[01]\r?\n/;

const UNFINISHED_REQUEST_LINE = /^[A-Z]+ \S*$/;

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

/** Connections on which a problem waits for earlier responses. */
const refused = new WeakSet<Socket>();

/** Writes the last response to a socket that has no request, after the responses that are still due. */
const endWith = (socket: Socket, write: () => void): void => {
  const response = lastResponseOwed(socket);
  if (!response) {
    if (socket.writable) return write();
    return void socket.destroy();
  }
  // The parser reports each further packet that it cannot read.
  if (refused.has(socket)) return;
  refused.add(socket);
  response.once('finish', () => {
    // Nothing may follow a response that was announced as the last.
    if (socket.writable) write();
  });
};

/** Answers what Node's parser refuses, and CONNECT, which arrives with only the socket to answer on. */
export const answerUnreadable = (server: Server, way: Way, door: Door): void => {
  const refuse = (socket: Socket, problem: Problem, requestId: string, isHead = false): void =>
    endWith(socket, () => {
      const { status, body, headers } = way.refusalOf(problem);
      const all = {
        date: new Date().toUTCString(),
        ...headers,
        ...door.headersOf(requestId, way),
        'content-length': String(Buffer.byteLength(body)),
        connection: 'close',
      };
      const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}`);
      const head = [`HTTP/1.1 ${status} ${STATUS_CODES[status]}`, ...lines].join('\r\n');
      socket.end(`${head}\r\n\r\n${isHead ? '' : body.toString()}`);
    });

  /** For a method that Node's parser does not know, such as FOO. The path decides, as for known methods. */
  const problemOfMethod = (url: string): Problem => {
    const target = originForm(url);
    if (!decodes(target)) return problemWithStatus(400);
    return problemWithStatus(way.tellsMethods && door.isKnown(target) ? 405 : 404);
  };

  const problemOf = (code: string | undefined, head: string): Problem => {
    switch (code) {
      case 'ERR_HTTP_REQUEST_TIMEOUT':
        return problemWithStatus(408);
      case 'HPE_CHUNK_EXTENSIONS_OVERFLOW':
        return problemWithStatus(413);
      case 'HPE_HEADER_OVERFLOW':
        return problemWithStatus(UNFINISHED_REQUEST_LINE.test(head) ? 414 : 431);
      case 'HPE_INVALID_METHOD': {
        const url = REQUEST_LINE.exec(head)?.[1];
        return url === undefined ? problemWithStatus(400) : problemOfMethod(url);
      }
      default:
        return problemWithStatus(400);
    }
  };

  server
    .removeAllListeners('clientError')
    .on('clientError', (error: ClientError, socket: Socket) => {
      if (error.code === 'ECONNRESET' || socket.destroyed) return void socket.destroy();
      const head = startOf(error);
      refuse(socket, problemOf(error.code, head), makeRequestId(), head.startsWith('HEAD '));
    })
    .on('connect', ({ url = '', headers }: IncomingMessage, socket: Socket) =>
      refuse(socket, problemOfMethod(url), requestIdOf({ headers })),
    );
};
