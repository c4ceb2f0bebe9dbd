import { Module } from '@nestjs/common';
import {
  ListPool,
  NodeAccountsReader,
  NodeBlocksReader,
  NodeDelegatesReader,
  NodeTransactionsReader,
  type ReaderPool,
} from '@roundhouse/readers';
import { READER_POOL } from '../database/database.module.js';
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
    // Readers get the common pool, and the pool for lists of any cost.
    ...READERS.map((reader) => ({
      provide: reader,
      inject: [READER_POOL, ListPool],
      useFactory: (pool: ReaderPool, lists: ListPool) => new reader(pool, lists),
    })),
  ],
})
export class CoreV1Module {}
