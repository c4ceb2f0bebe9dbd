import type { FastifyInstance } from 'fastify';
import { handleBefore } from './handle-before.js';
import type { RequestGate } from './request-gate.service.js';

/**
 * Has ready answers sent before Fastify sees their requests: what it does for each request costs a ready answer more
 * than all of ours does. Hooks of Fastify do not run for these.
 */
export const answerBeforeRouting = ({ server }: FastifyInstance, gate: () => RequestGate): void => {
  handleBefore(server, (request, response, handle) => {
    if (!gate().answerEndpoint(request, response)) handle(request, response);
  });
};
