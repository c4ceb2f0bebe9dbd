import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import { currentTracing } from './tracing.js';

export interface ServerTrace {
  /** To be called once it is known: the route's pattern, absent where there is none, and the request's id. */
  describe(request: IncomingMessage, route: string | undefined, requestId: string): void;
}

/**
 * Puts each request of `server` into a span, within the trace that its client names. Null, and the server is left as it
 * is, where nothing is traced: call it after `startTelemetry`.
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
