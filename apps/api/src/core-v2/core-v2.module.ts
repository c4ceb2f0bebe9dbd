import { Module, type OnModuleInit } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import {
  CoreBlocksReader,
  CoreDelegatesReader,
  CoreEntitiesReader,
  CoreFeesReader,
  CoreLocksReader,
  CoreRoundsReader,
  CoreTransactionsReader,
  CoreWalletsReader,
  ListPool,
  type ReaderPool,
} from '@roundhouse/readers';
import type { FastifyInstance } from 'fastify';
import { READER_POOL } from '../database/database.module.js';
import { BlockchainController } from './blockchain.controller.js';
import { BlocksController } from './blocks.controller.js';
import { DelegatesController } from './delegates.controller.js';
import { EntitiesController } from './entities.controller.js';
import { LocksController } from './locks.controller.js';
import { NodeController } from './node.controller.js';
import { takeRawBodies } from './payload.js';
import { PeersController } from './peers.controller.js';
import { RoundsController } from './rounds.controller.js';
import { TransactionsController } from './transactions.controller.js';
import { VotesController } from './votes.controller.js';
import { WalletFinder } from './wallet-finder.js';
import { WalletsController } from './wallets.controller.js';

const READERS = [
  CoreBlocksReader,
  CoreDelegatesReader,
  CoreEntitiesReader,
  CoreFeesReader,
  CoreLocksReader,
  CoreRoundsReader,
  CoreTransactionsReader,
  CoreWalletsReader,
];

/** Core's version 2, as a node of 3.9.1 answers it. */
@Module({
  controllers: [
    BlockchainController,
    BlocksController,
    DelegatesController,
    EntitiesController,
    LocksController,
    NodeController,
    PeersController,
    RoundsController,
    TransactionsController,
    VotesController,
    WalletsController,
  ],
  providers: [
    WalletFinder,
    ...READERS.map((reader) => ({
      provide: reader,
      inject: [READER_POOL, ListPool],
      useFactory: (pool: ReaderPool, lists: ListPool): object => new reader(pool, lists),
    })),
  ],
})
export class CoreV2Module implements OnModuleInit {
  constructor(private readonly adapter: HttpAdapterHost) {}

  onModuleInit(): void {
    takeRawBodies(this.adapter.httpAdapter.getInstance<FastifyInstance>());
  }
}
