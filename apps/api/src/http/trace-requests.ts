import { traceServer } from '@roundhouse/telemetry';
import type { FastifyInstance } from 'fastify';

/** A span for each request where the api traces; else gives false, and nothing is added to the way of a request. */
export const traceRequests = (server: FastifyInstance): boolean => {
  const trace = traceServer(server.server);
  if (trace === null) return false;
  server.addHook('onRequest', (request, _reply, done) => {
    trace.describe(request.raw, request.routeOptions.url, request.id);
    done();
  });
  return true;
};
