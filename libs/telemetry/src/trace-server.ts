import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import { currentTracing } from './tracing.js';

export interface ServerTrace {
  /** Call this once the pattern of the route (undefined if none matches) and the request's id are known. */
  describe(request: IncomingMessage, route: string | undefined, requestId: string): void;
}

/**
 * Makes a span for each request of `server`, in the trace that the client names. Returns null and leaves the server
 * unchanged if nothing is traced, so call it after `startTelemetry`.
 */
export const traceServer = (server: Server): ServerTrace | null => {
  const tracing = currentTracing();
  if (tracing === null) return null;
  const emit = server.emit.bind(server) as (event: string, ...args: unknown[]) => boolean;
  server.emit = (event: string, ...args: unknown[]): boolean => {
    if (event !== 'request') return emit(event, ...args);
    const [request, response] = args as [IncomingMessage, ServerResponse];
    return tracing.serve(request, response, () => emit(event, ...args));
  };
  return {
    describe: (request, route, requestId) =>
      tracing.describe(request, route, { 'roundhouse.request.id': requestId }),
  };
};
