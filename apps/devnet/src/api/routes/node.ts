import type { FastifyInstance } from 'fastify';
import type { DevnetContext } from '../devnet-context.js';
import { pageOf } from '../page.js';
import { Query, type RawQuery } from '../query.js';

/** The version of Core that this API imitates. */
const CORE_VERSION = '3.9.1';

/** The milestones up to the height, merged in Core's form: the last value of each key. */
const constantsAt = (context: DevnetContext, height: number): object =>
  Object.assign(
    {},
    ...context.chain.network.milestones.filter((milestone) => milestone.height <= height),
  ) as object;

export const nodeRoutes = (api: FastifyInstance, context: DevnetContext): void => {
  const { chain } = context;

  api.get('/api/node/configuration', () => {
    const { nethash, slip44, wif, client, pubKeyHash } = chain.network.network;
    return {
      data: {
        core: { version: CORE_VERSION },
        nethash,
        slip44,
        wif,
        token: client.token,
        symbol: client.symbol,
        explorer: client.explorer,
        version: pubKeyHash,
        ports: {},
        constants: constantsAt(context, chain.state.height),
        transactionPool: { dynamicFees: { enabled: false } },
      },
    };
  });

  api.get('/api/node/configuration/crypto', () => {
    const { network, milestones, exceptions } = chain.network;
    return {
      data: { network, exceptions, milestones, genesisBlock: { ...chain.log.read(1), previousBlock: null } },
    };
  });

  api.get('/api/node/status', () => ({
    data: { synced: true, now: chain.state.height, blocksCount: 0, timestamp: chain.now },
  }));

  api.get('/api/node/syncing', () => ({
    data: { syncing: false, blocks: 0, height: chain.state.height, id: chain.head.id },
  }));

  api.get('/api/blockchain', () => ({
    data: {
      block: { height: chain.state.height, id: chain.head.id },
      supply: chain.state.ledger.supply.toString(),
    },
  }));

  api.get<{ Querystring: RawQuery }>('/api/peers', (request) => {
    const query = new Query(request.query, ['page', 'limit', 'offset', 'orderBy']);
    return pageOf({ path: '/peers', query, paging: query.paging(), total: 0, rows: [], isEstimate: false });
  });
};
