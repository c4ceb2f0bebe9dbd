import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import { handleBefore } from './handle-before.js';

/** Far more than clients that mean well send ahead; a read of 64 KiB may hold more than a thousand. */
const MOST_QUEUED = 100;

/**
 * Bounds how many requests of one connection are answered ahead of the one that its client is being sent: without it, a
 * few clients that send ahead and read nothing keep the processor from all others. The last is told to be the last.
 */
export const boundPipelining = (server: Server): void => {
  const queued = new WeakMap<Socket, number>();
  handleBefore(server, (request, response, handle) => {
    const { socket } = request;
    // A response has no socket as long as another is before it.
    if (response.socket !== null) queued.delete(socket);
    else {
      const count = (queued.get(socket) ?? 0) + 1;
      queued.set(socket, count);
      // The client has been told to ask these on another connection.
      if (count > MOST_QUEUED) return;
      if (count === MOST_QUEUED) response.shouldKeepAlive = false;
    }
    handle(request, response);
  });
};
