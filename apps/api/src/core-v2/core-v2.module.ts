import { Module } from '@nestjs/common';
import { CoreBlocksReader, CoreTransactionsReader, ListPool, type ReaderPool } from '@roundhouse/readers';
import { READER_POOL } from '../database/database.module.js';
import { CoreV1Module } from '../core-v1/core-v1.module.js';
import { BlockchainController } from './blockchain.controller.js';
import { BlocksController } from './blocks.controller.js';
import { NodeController } from './node.controller.js';
import { PeersController } from './peers.controller.js';
import { TransactionsController } from './transactions.controller.js';
import { VotesController } from './votes.controller.js';

const READERS = [CoreBlocksReader, CoreTransactionsReader];

/** Core's version 2, as a node of 3.9.1 answers it. */
@Module({
  // Lists of any cost read from the connections that version 1 has for them.
  imports: [CoreV1Module],
  controllers: [
    BlockchainController,
    BlocksController,
    NodeController,
    PeersController,
    TransactionsController,
    VotesController,
  ],
  providers: READERS.map((reader) => ({
    provide: reader,
    inject: [READER_POOL, ListPool],
    useFactory: (pool: ReaderPool, lists: ListPool) => new reader(pool, lists),
  })),
})
export class CoreV2Module {}
