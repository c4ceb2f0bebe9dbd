import { Module, type OnApplicationShutdown } from '@nestjs/common';
import { LOGGER } from '@roundhouse/logging';
import type { Logger } from 'pino';
import {
  ListPool,
  NodeAccountsReader,
  NodeBlockListReader,
  NodeBlocksReader,
  NodeDelegatesReader,
  NodeTransactionsReader,
  type ReaderPool,
} from '@roundhouse/readers';
import { SETTINGS, type ApiSettings } from '../api.config.js';
import { READER_POOL } from '../database/database.module.js';
import { isPooled, readerUrl } from '../database/reader-url.js';
import { DelegatesModule } from '../delegates/delegates.module.js';
import { BlocksRoutes } from './blocks.routes.js';
import { DelegatesRoutes } from './delegates.routes.js';
import { AccountsRoutes } from './accounts.routes.js';
import { BlockListRoutes } from './block-list.routes.js';
import { ROUTE_GROUPS } from './core-v1-gate.service.js';
import type { RouteGroup } from './core-v1-route.js';
import { LoaderRoutes } from './loader.routes.js';
import { PeersRoutes } from './peers.routes.js';
import { SignaturesRoutes } from './signatures.routes.js';
import { TransactionsRoutes } from './transactions.routes.js';

/** All groups of routes. */
const GROUPS = [
  SignaturesRoutes,
  LoaderRoutes,
  BlocksRoutes,
  BlockListRoutes,
  DelegatesRoutes,
  AccountsRoutes,
  TransactionsRoutes,
  PeersRoutes,
];

/** Readers get the common pool, and the pool for lists of any cost. */
const reader = <T>(type: new (pool: ReaderPool, lists: ListPool) => T) => ({
  provide: type,
  inject: [READER_POOL, ListPool],
  useFactory: (pool: ReaderPool, lists: ListPool): T => new type(pool, lists),
});

@Module({
  imports: [DelegatesModule],
  providers: [
    {
      provide: ListPool,
      inject: [SETTINGS, LOGGER],
      useFactory: (settings: ApiSettings, logger: Logger): ListPool =>
        new ListPool({
          url: readerUrl(settings),
          applicationName: 'roundhouse-api lists',
          isPooled: isPooled(settings),
          onPoolError: (error) => logger.warn({ reason: error.message }, 'a connection was lost'),
        }),
    },
    reader(NodeBlocksReader),
    reader(NodeDelegatesReader),
    reader(NodeAccountsReader),
    reader(NodeBlockListReader),
    reader(NodeTransactionsReader),
    ...GROUPS,
    {
      provide: ROUTE_GROUPS,
      inject: GROUPS,
      useFactory: (...groups: RouteGroup[]): RouteGroup[] => groups,
    },
  ],
  exports: [ROUTE_GROUPS],
})
export class CoreV1Module implements OnApplicationShutdown {
  constructor(private readonly lists: ListPool) {}

  async onApplicationShutdown(): Promise<void> {
    await this.lists.close();
  }
}
