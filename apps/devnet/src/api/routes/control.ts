import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import { DevnetError } from '../../devnet.error.js';
import { unprocessable } from '../api.error.js';
import type { DevnetContext } from '../devnet-context.js';
import type { Failures } from '../failures.js';

const MOST_BLOCKS = 10_000;

const count = z.number().int().min(1).max(MOST_BLOCKS);
const forkBody = z.strictObject({ depth: count });
const forgeBody = z.strictObject({ count });
const failBody = z.strictObject({ status: z.number().int().min(400).max(599), count });

const read = <T>(schema: z.ZodType<T>, body: unknown): T => {
  const result = schema.safeParse(body);
  if (result.success) return result.data;
  throw unprocessable(
    result.error.issues.map(({ path, message }) => `"${path.join('.')}": ${message}`).join('; '),
  );
};

/** What no real node offers: forks, pauses, extra blocks and failures on demand. */
export const controlRoutes = (api: FastifyInstance, context: DevnetContext, failures: Failures): void => {
  const { chain, pool, loop } = context;
  const standing = (): object => ({
    data: { height: chain.state.height, id: chain.head.id, isForging: loop.isRunning },
  });

  api.post('/devnet/fork', ({ body }) => {
    const { depth } = read(forkBody, body);
    try {
      chain.fork(depth);
    } catch (error) {
      throw error instanceof DevnetError ? unprocessable(error.message) : error;
    }
    return standing();
  });

  api.post('/devnet/pause', () => {
    loop.stop();
    return standing();
  });

  api.post('/devnet/resume', () => {
    loop.start();
    return standing();
  });

  api.post('/devnet/forge', ({ body }) => {
    const { count: blocks } = read(forgeBody, body);
    for (let forged = 0; forged < blocks; forged += 1) chain.forgeNext((draft) => pool.admit(draft));
    return standing();
  });

  api.post('/devnet/fail', ({ body }) => {
    const { status, count: requests } = read(failBody, body);
    failures.order(status, requests);
    return standing();
  });
};
