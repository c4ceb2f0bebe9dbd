import { Global, Module, type DynamicModule } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import {
  BlocksReader,
  DelegatesReader,
  EventsReader,
  RoundsReader,
  StatusReader,
  tellSlowQueries,
  type ReaderPool,
} from '@roundhouse/storage';
import { DataSource } from 'typeorm';
import type { PostgresDriver } from 'typeorm/driver/postgres/PostgresDriver.js';
import { SETTINGS, type ApiSettings } from '../api.config.js';
import { SlowLog } from '../operations/slow-log.service.js';
import { READER_POOL } from './reader-pool.js';

const reader = <T>(type: new (pool: ReaderPool) => T) => ({
  provide: type,
  inject: [READER_POOL, SETTINGS, SlowLog],
  useFactory: (pool: ReaderPool, { SLOW_QUERY_MS }: ApiSettings, slowLog: SlowLog): T =>
    new type(tellSlowQueries(pool, SLOW_QUERY_MS, (query) => slowLog.tellQuery(query))),
});

@Global()
@Module({
  providers: [
    {
      provide: READER_POOL,
      inject: [DataSource],
      useFactory: ({ driver }: DataSource): ReaderPool => (driver as PostgresDriver).master as ReaderPool,
    },
    reader(BlocksReader),
    reader(DelegatesReader),
    reader(EventsReader),
    reader(RoundsReader),
    reader(StatusReader),
  ],
  exports: [READER_POOL, BlocksReader, DelegatesReader, EventsReader, RoundsReader, StatusReader],
})
export class DatabaseModule {
  /** Takes a data source that is connected already; the application's end is its end, too. */
  static with(dataSource: DataSource): DynamicModule {
    const typeOrm = TypeOrmModule.forRootAsync({
      useFactory: () => dataSource.options,
      dataSourceFactory: () => Promise.resolve(dataSource),
    });
    return { module: DatabaseModule, imports: [typeOrm] };
  }
}
