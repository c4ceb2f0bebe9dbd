import { Global, Module, type DynamicModule, type OnApplicationShutdown } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { LOGGER } from '@roundhouse/logging';
import { logSlowQueries } from '@roundhouse/telemetry';
import type { Pool } from 'pg';
import type { Logger } from 'pino';
import {
  AccountsReader,
  BlocksReader,
  CertificatesReader,
  DelegatesReader,
  EventsReader,
  HistoryAccountsReader,
  HistoryDelegatesReader,
  ListPool,
  PayoutsReader,
  RankedDelegatesReader,
  RoundsReader,
  RowStreams,
  SeriesReader,
  StatementsReader,
  StatisticsReader,
  TransactionsReader,
  patientPool,
  type ReaderPool,
} from '@roundhouse/readers';
import { SETTINGS, type ApiSettings } from '../api.config.js';
import type { Database } from './connect-database.js';
import { isPooled, readerPool } from './reader-url.js';

/** The pool of TypeORM's data source, as a provider. */
export const CONNECTIONS = Symbol('connections');

/** Statements go to the pool directly, by name. */
export const READER_POOL = Symbol('reader pool');

const READERS = [
  AccountsReader,
  BlocksReader,
  CertificatesReader,
  DelegatesReader,
  EventsReader,
  HistoryAccountsReader,
  HistoryDelegatesReader,
  PayoutsReader,
  RankedDelegatesReader,
  RoundsReader,
  SeriesReader,
  StatisticsReader,
  TransactionsReader,
];

@Global()
@Module({
  providers: [
    {
      provide: READER_POOL,
      inject: [CONNECTIONS, SETTINGS, LOGGER],
      useFactory: (connections: Pool, settings: ApiSettings, logger: Logger): ReaderPool => {
        const pool = patientPool(connections, isPooled(settings));
        logSlowQueries(pool, settings.SLOW_QUERY_MS, logger);
        return pool;
      },
    },
    {
      provide: RowStreams,
      inject: [SETTINGS, LOGGER],
      useFactory: (settings: ApiSettings, logger: Logger): RowStreams =>
        new RowStreams({
          ...readerPool(settings, logger, 'roundhouse-api streams'),
          poolSize: settings.MAX_STREAMS,
        }),
    },
    {
      provide: ListPool,
      inject: [SETTINGS, LOGGER],
      useFactory: (settings: ApiSettings, logger: Logger): ListPool =>
        new ListPool(readerPool(settings, logger, 'roundhouse-api lists')),
    },
    {
      provide: StatementsReader,
      inject: [READER_POOL, RowStreams],
      useFactory: (pool: ReaderPool, streams: RowStreams) => new StatementsReader(pool, streams),
    },
    ...READERS.map((reader) => ({
      provide: reader,
      inject: [READER_POOL],
      useFactory: (pool: ReaderPool) => new reader(pool),
    })),
  ],
  exports: [READER_POOL, RowStreams, ListPool, StatementsReader, ...READERS],
})
export class DatabaseModule implements OnApplicationShutdown {
  constructor(
    private readonly streams: RowStreams,
    private readonly lists: ListPool,
  ) {}

  /** Takes a connected database and closes it with the application. */
  static with({ dataSource, pool }: Database): DynamicModule {
    const typeOrm = TypeOrmModule.forRootAsync({
      useFactory: () => dataSource.options,
      dataSourceFactory: () => Promise.resolve(dataSource),
    });
    const connections = { provide: CONNECTIONS, useValue: pool };
    return { module: DatabaseModule, imports: [typeOrm], providers: [connections], exports: [connections] };
  }

  async onApplicationShutdown(): Promise<void> {
    await Promise.all([this.streams.close(), this.lists.close()]);
  }
}
