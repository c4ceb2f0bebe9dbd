import type { IncomingMessage, Server } from 'node:http';
import type { Socket } from 'node:net';
import { handleBefore } from './handle-before.js';

const KIBIBYTE = 1024;

/** What the waiting requests of one connection may hold: more than a hundred of the usual size. */
const MOST_OF_ONE = 1024 * KIBIBYTE;

/** The same for all connections together. */
const MOST_OF_ALL = 64 * 1024 * KIBIBYTE;

/** What a request and its response hold beside the text of the request, as measured. */
const OBJECTS_BYTES = 7 * KIBIBYTE;

/** The same for each name and each value of a header. */
const STRING_BYTES = 32;

const bytesHeldBy = ({ url, rawHeaders }: IncomingMessage): number =>
  rawHeaders.reduce((sum, text) => sum + text.length + STRING_BYTES, OBJECTS_BYTES + (url?.length ?? 0));

/** What has Node's parser stop after this request. */
const STOP_PARSING = 2;

/** Ends a connection and forgets what else was read from it: one read may hold more than two thousand requests. */
const cutOff = (socket: Socket): void => {
  // Node would parse all that it has read, and keep it until the socket has closed.
  const { parser } = socket as Socket & { readonly parser?: { onIncoming: () => number } | null };
  if (parser) parser.onIncoming = () => STOP_PARSING;
  socket.destroy();
};

/**
 * Has the requests of one connection handled one after the other: each waits until the response to the one before is
 * sent. A client that sends ahead gets no more work done for it than others, and one that sends too far ahead is cut off.
 */
export const boundPipelining = (server: Server): void => {
  const heldByOne = new WeakMap<Socket, number>();
  let heldByAll = 0;
  const hold = (socket: Socket, bytes: number): void => {
    heldByOne.set(socket, (heldByOne.get(socket) ?? 0) + bytes);
    heldByAll += bytes;
  };
  handleBefore(server, (request, response, handle) => {
    // A response has no socket as long as another is before it.
    if (response.socket !== null) return handle(request, response);
    const { socket } = request;
    const bytes = bytesHeldBy(request);
    if ((heldByOne.get(socket) ?? 0) + bytes > MOST_OF_ONE || heldByAll + bytes > MOST_OF_ALL)
      return cutOff(socket);
    if (!heldByOne.has(socket)) socket.once('close', () => hold(socket, -(heldByOne.get(socket) ?? 0)));
    hold(socket, bytes);
    response.once('socket', () => {
      hold(socket, -bytes);
      // Node is still busy with giving the response its socket.
      setImmediate(() => {
        if (!socket.destroyed) handle(request, response);
      });
    });
  });
};
