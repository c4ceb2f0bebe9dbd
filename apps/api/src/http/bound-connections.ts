import type { Server } from 'node:http';

/** One more than `most` is closed at once; the kept ones that nobody uses make room for those who come next. */
export const boundConnections = (server: Server, most: number): void => {
  server.maxConnections = most;
  server.on('drop', () => server.closeIdleConnections());
};
