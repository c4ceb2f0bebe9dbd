import { Global, Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { BlocksReader, DelegatesReader, readerDataSourceOptions, RoundsReader } from '@roundhouse/storage';
import type { ReaderPool } from '@roundhouse/storage';
import type { Logger } from 'pino';
import { DataSource } from 'typeorm';
import type { PostgresDriver } from 'typeorm/driver/postgres/PostgresDriver.js';
import { SETTINGS, type ApiSettings } from '../api.config.js';
import { LOGGER } from '../operations/logger.js';
import { connectDatabase } from './connect-database.js';
import { READER_POOL } from './reader-pool.js';

/** Connections to PostgreSQL, beside the one that watches the head. */
const POOL_SIZE = 10;

const reader = <T>(type: new (pool: ReaderPool) => T) => ({
  provide: type,
  inject: [READER_POOL],
  useFactory: (pool: ReaderPool): T => new type(pool),
});

@Global()
@Module({
  imports: [
    TypeOrmModule.forRootAsync({
      inject: [SETTINGS, LOGGER],
      useFactory: ({ DATABASE_READ_URL, DATABASE_URL }: ApiSettings, logger: Logger) => ({
        ...readerDataSourceOptions({
          url: DATABASE_READ_URL ?? DATABASE_URL,
          poolSize: POOL_SIZE,
          applicationName: 'roundhouse-api',
          onPoolError: (error) => logger.warn({ reason: error.message }, 'a connection was lost'),
        }),
        // connectDatabase tries again by itself, and its error is final.
        toRetry: () => false,
      }),
      dataSourceFactory: (options) => connectDatabase((options as { url: string }).url, options!),
    }),
  ],
  providers: [
    {
      provide: READER_POOL,
      inject: [DataSource],
      useFactory: ({ driver }: DataSource): ReaderPool => (driver as PostgresDriver).master as ReaderPool,
    },
    reader(BlocksReader),
    reader(DelegatesReader),
    reader(RoundsReader),
  ],
  exports: [READER_POOL, BlocksReader, DelegatesReader, RoundsReader],
})
export class DatabaseModule {}
