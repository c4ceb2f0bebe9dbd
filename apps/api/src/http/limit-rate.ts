import type { FastifyInstance } from 'fastify';
import { handleBefore } from './handle-before.js';
import type { HttpParts } from './http-server.js';
import { tooManyRequests } from './problem.js';

/** Counts every request that the parser understood: those that are answered from the cache and those that fail, too. */
export const limitRate = ({ server }: FastifyInstance, parts: () => HttpParts): void => {
  handleBefore(server, (request, response, handle) => {
    const { rateLimit, responder } = parts();
    const proceed = (waitMs: number): void => {
      if (waitMs === 0) handle(request, response);
      else responder.sendProblemRaw(request, response, tooManyRequests(Math.ceil(waitMs / 1000)));
    };
    const wait = rateLimit.take(request);
    // Ready answers stay as quick as they are: most of the time there is nothing to wait for.
    if (typeof wait === 'number') proceed(wait);
    else
      void wait.then((waitMs) => {
        // Nobody waits for it any more, and whoever is told of the close has been.
        if (!request.socket.destroyed) proceed(waitMs);
      });
  });
};
