import { traceServer } from '@roundhouse/telemetry';
import type { FastifyInstance } from 'fastify';

/** A span for each request where the api traces; else nothing is added to the way of a request. */
export const traceRequests = (server: FastifyInstance): void => {
  const trace = traceServer(server.server);
  if (trace === null) return;
  server.addHook('onRequest', (request, _reply, done) => {
    trace.describe(request.raw, request.routeOptions.url, request.id);
    done();
  });
};
