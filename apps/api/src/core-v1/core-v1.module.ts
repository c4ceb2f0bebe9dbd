import { Module, type OnApplicationShutdown } from '@nestjs/common';
import { LOGGER } from '@roundhouse/logging';
import type { Logger } from 'pino';
import {
  ListPool,
  NodeAccountsReader,
  NodeBlocksReader,
  NodeDelegatesReader,
  NodeTransactionsReader,
  type ReaderPool,
} from '@roundhouse/readers';
import { SETTINGS, type ApiSettings } from '../api.config.js';
import { READER_POOL } from '../database/database.module.js';
import { readerPool } from '../database/reader-url.js';
import { AccountsController } from './accounts.controller.js';
import { BlocksController } from './blocks.controller.js';
import { DelegatesController } from './delegates.controller.js';
import { LoaderController } from './loader.controller.js';
import { PeersController } from './peers.controller.js';
import { SignaturesController } from './signatures.controller.js';
import { TransactionsController } from './transactions.controller.js';

const READERS = [NodeAccountsReader, NodeBlocksReader, NodeDelegatesReader, NodeTransactionsReader];

@Module({
  controllers: [
    SignaturesController,
    LoaderController,
    BlocksController,
    DelegatesController,
    AccountsController,
    TransactionsController,
    PeersController,
  ],
  providers: [
    {
      provide: ListPool,
      inject: [SETTINGS, LOGGER],
      useFactory: (settings: ApiSettings, logger: Logger): ListPool =>
        new ListPool(readerPool(settings, logger, 'roundhouse-api lists')),
    },
    // Readers get the common pool, and the pool for lists of any cost.
    ...READERS.map((reader) => ({
      provide: reader,
      inject: [READER_POOL, ListPool],
      useFactory: (pool: ReaderPool, lists: ListPool) => new reader(pool, lists),
    })),
  ],
  exports: [ListPool],
})
export class CoreV1Module implements OnApplicationShutdown {
  constructor(private readonly lists: ListPool) {}

  async onApplicationShutdown(): Promise<void> {
    await this.lists.close();
  }
}
