import fastify, { type FastifyError, type FastifyInstance } from 'fastify';
import { ApiError, notFound } from './api.error.js';
import type { DevnetContext } from './devnet-context.js';
import { Misbehaviours } from './misbehaviour/misbehaviours.js';
import { blockRoutes } from './routes/blocks.js';
import { controlRoutes } from './routes/control.js';
import { delegateRoutes } from './routes/delegates.js';
import { nodeRoutes } from './routes/node.js';
import { transactionRoutes } from './routes/transactions.js';
import { walletRoutes } from './routes/wallets.js';

export interface ApiOptions {
  /** Whether to serve `/devnet/…`. */
  readonly hasControl: boolean;
  /** Receives internal errors of the devnet; the client only gets a 500. */
  readonly onError: (error: Error) => void;
}

const MAX_BODY_BYTES = 2_097_152;

const WELL_BEHAVED = '/devnet/well';

/** A second address of the same node. It never misbehaves, for clients with several sources. */
const mountWellBehaved = (api: FastifyInstance, well: FastifyInstance): void => {
  api.get(`${WELL_BEHAVED}/*`, async ({ url }, reply) => {
    const { statusCode, payload } = await well.inject(url.slice(WELL_BEHAVED.length));
    return reply.status(statusCode).type('application/json; charset=utf-8').send(payload);
  });
};

/** Core 3.x's public API for the devnet's chain. */
export const createApi = (context: DevnetContext, { hasControl, onError }: ApiOptions): FastifyInstance => {
  const api = fastify({ routerOptions: { ignoreTrailingSlash: true }, bodyLimit: MAX_BODY_BYTES });
  const misbehaviours = new Misbehaviours(context, (chain) =>
    createApi({ ...context, chain }, { hasControl: false, onError }),
  );
  const isCoreApi = (url: string): boolean => url.startsWith('/api');

  api.addHook('onRequest', async (request, reply) => {
    // Core 3.x also destroys each connection after its answer.
    void reply.header('connection', 'close').header('x-block-height', context.chain.state.height);
    if (isCoreApi(request.url)) await misbehaviours.onRequest(request, reply);
  });
  api.addHook('onSend', async (request, reply, payload) =>
    isCoreApi(request.url) ? misbehaviours.onText(payload, reply) : payload,
  );
  api.addHook('preClose', async () => misbehaviours.end());
  api.setNotFoundHandler(() => {
    throw notFound();
  });
  api.setErrorHandler((error: FastifyError | ApiError, _request, reply) => {
    if (error instanceof ApiError) return reply.status(error.statusCode).send(error.body);
    const statusCode = error.statusCode ?? 500;
    if (statusCode >= 500) onError(error);
    return reply.status(statusCode).send(new ApiError(statusCode).body);
  });

  api.get('/', () => ({ data: 'Hello World!' }));
  nodeRoutes(api, context);
  blockRoutes(api, context, (blocks) => misbehaviours.onBlocks(blocks));
  transactionRoutes(api, context);
  delegateRoutes(api, context);
  walletRoutes(api, context);
  if (hasControl) {
    controlRoutes(api, context, misbehaviours);
    mountWellBehaved(api, createApi(context, { hasControl: false, onError }));
  }
  return api;
};
