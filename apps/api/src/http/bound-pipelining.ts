import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Step } from './http-server.js';

const KIBIBYTE = 1024;

/** Memory limit for the waiting requests of one connection: more than a hundred requests of the usual size. */
const MOST_OF_ONE = 1024 * KIBIBYTE;

/** The limit for all connections together. */
const MOST_OF_ALL = 64 * 1024 * KIBIBYTE;

/** Measured: the memory of a request and its response, without the text of the request. */
const OBJECTS_BYTES = 7 * KIBIBYTE;

/** Measured: the extra memory of each name and each value of a header. */
const STRING_BYTES = 32;

const bytesHeldBy = ({ url, rawHeaders }: IncomingMessage): number =>
  rawHeaders.reduce((sum, text) => sum + text.length + STRING_BYTES, OBJECTS_BYTES + (url?.length ?? 0));

/** Tells Node's parser to stop after this request. */
const STOP_PARSING = 2;

/** Ends a connection and drops everything else that was read from it: one read may hold more than two thousand requests. */
const cutOff = (socket: Socket): void => {
  // Otherwise Node would parse everything it has read, and keep it until the socket has closed.
  const { parser } = socket as Socket & { readonly parser?: { onIncoming: () => number } | null };
  if (parser) parser.onIncoming = () => STOP_PARSING;
  socket.destroy();
};

/** The newest response of each connection, while it is being made or sent. */
const newest = new WeakMap<Socket, WeakRef<ServerResponse>>();

/** The last response that is still due on this connection; undefined if there is none. */
export const lastResponseOwed = (socket: Socket): ServerResponse | undefined => {
  const response = newest.get(socket)?.deref();
  // A finished response is detached from its socket. A response that waits for others has no socket yet.
  return response?.writableFinished && response.socket === null ? undefined : response;
};

/**
 * Handles the requests of one connection one after the other: each waits until the previous response is sent. So a
 * client that pipelines gets no more work done for it than others, and one that pipelines too much is cut off.
 */
export const boundPipelining = (): Step => {
  const heldByOne = new WeakMap<Socket, number>();
  let heldByAll = 0;
  const hold = (socket: Socket, bytes: number): void => {
    heldByOne.set(socket, (heldByOne.get(socket) ?? 0) + bytes);
    heldByAll += bytes;
  };
  return (request, response, pass) => {
    const { socket } = request;
    newest.set(socket, new WeakRef(response));
    // A response has no socket while another one is before it.
    if (response.socket !== null) return pass(request, response);
    const bytes = bytesHeldBy(request);
    if ((heldByOne.get(socket) ?? 0) + bytes > MOST_OF_ONE || heldByAll + bytes > MOST_OF_ALL)
      return cutOff(socket);
    if (!heldByOne.has(socket)) socket.once('close', () => hold(socket, -(heldByOne.get(socket) ?? 0)));
    hold(socket, bytes);
    response.once('socket', () => {
      hold(socket, -bytes);
      // Node is still assigning the socket to the response.
      setImmediate(() => {
        if (!socket.destroyed) pass(request, response);
      });
    });
  };
};
