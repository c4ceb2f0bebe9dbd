import type { IncomingMessage, RequestListener, Server, ServerResponse } from 'node:http';

/** Puts `first` before all that handles requests so far; it decides whether `handle` sees them. */
export const handleBefore = (
  server: Server,
  first: (request: IncomingMessage, response: ServerResponse, handle: RequestListener) => void,
): void => {
  const [handle] = server.listeners('request') as [RequestListener];
  server.removeAllListeners('request');
  server.on('request', (request, response) => first(request, response, handle));
};
