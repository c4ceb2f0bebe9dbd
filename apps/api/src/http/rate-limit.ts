import rateLimit from '@fastify/rate-limit';
import type { FastifyInstance } from 'fastify';
import { tooManyRequests } from './problem.js';
import type { Responder } from './responder.service.js';

const MINUTE_MS = 60_000;

/** Counts every request, those that are answered from the cache and those that fail too. `perMinute` is above 0. */
export const installRateLimit = async (
  server: FastifyInstance,
  responder: () => Responder,
  perMinute: number,
): Promise<void> => {
  await server.register(rateLimit, { global: false, max: perMinute, timeWindow: MINUTE_MS });
  const check = server.createRateLimit();
  server.addHook('onRequest', async (request, reply) => {
    const limit = await check(request);
    if (!limit.isAllowed && limit.isExceeded) {
      responder().sendProblem(reply, tooManyRequests(Math.max(1, limit.ttlInSeconds)));
    }
  });
};
