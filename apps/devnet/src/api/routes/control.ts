import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import { DevnetError } from '../../devnet.error.js';
import { unprocessable } from '../api.error.js';
import type { DevnetContext } from '../devnet-context.js';
import { presentRawBlock } from '../present/block.js';
import { Query, type RawQuery } from '../query.js';
import { misbehaviourOrder, type Misbehaviours } from '../misbehaviour/misbehaviours.js';

const MOST_BLOCKS = 10_000;

const count = z.number().int().min(1).max(MOST_BLOCKS);
const forkBody = z.strictObject({ depth: count, length: count.optional() });
const forgeBody = z.strictObject({ count });
const failBody = z.strictObject({ status: z.number().int().min(400).max(599), count });
const misbehaveBody = z.looseObject({ count: count.optional() });

const read = <T>(schema: z.ZodType<T>, body: unknown): T => {
  const result = schema.safeParse(body);
  if (result.success) return result.data;
  throw unprocessable(
    result.error.issues.map(({ path, message }) => `"${path.join('.')}": ${message}`).join('; '),
  );
};

/** An impossible order is the tester's mistake, not the devnet's. */
const orAdvice = (order: () => void): void => {
  try {
    order();
  } catch (error) {
    throw error instanceof DevnetError ? unprocessable(error.message) : error;
  }
};

/** Orders that no real node accepts: forks, restarts, pauses, extra blocks and misbehaviour. */
export const controlRoutes = (
  api: FastifyInstance,
  context: DevnetContext,
  misbehaviours: Misbehaviours,
): void => {
  const { chain, pool, loop } = context;
  const standing = (): object => ({
    data: {
      height: chain.state.height,
      id: chain.head.id,
      isForging: loop.isRunning,
      largestPage: misbehaviours.largestPage,
      requests: misbehaviours.requests,
    },
  });

  api.get<{ Querystring: RawQuery }>('/devnet/blocks', ({ query }) => {
    const from = new Query(query, ['from']).integer('from', 1) ?? 1;
    const blocksOf = ({ log }: DevnetContext['chain']): object[] =>
      [...log.blocks(from, log.height)].map(presentRawBlock);
    const { branch } = misbehaviours;
    return { data: { own: blocksOf(chain), other: branch === null ? [] : blocksOf(branch) } };
  });

  api.post('/devnet/fork', ({ body }) => {
    const { depth, length } = read(forkBody, body);
    orAdvice(() => chain.fork(depth, length));
    return standing();
  });

  api.post('/devnet/restart', () => {
    chain.restartNode();
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
    misbehaviours.order({ kind: 'failing', status }, requests);
    return standing();
  });

  api.post('/devnet/misbehave', ({ body }) => {
    const { count: requests, ...order } = read(misbehaveBody, body);
    orAdvice(() => misbehaviours.order(read(misbehaviourOrder, order), requests));
    return standing();
  });

  api.post('/devnet/behave', () => {
    misbehaviours.end();
    return standing();
  });
};
