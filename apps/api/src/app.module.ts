import { Global, Module, type DynamicModule } from '@nestjs/common';
import { DiscoveryModule } from '@nestjs/core';
import { LOGGER } from '@roundhouse/logging';
import type { Logger } from 'pino';
import { AccountsModule } from './accounts/accounts.module.js';
import { AnswerCache } from './answers/answer-cache.service.js';
import { AnswerRenewal } from './answers/answer-renewal.service.js';
import { AnswersService } from './answers/answers.service.js';
import { Endpoints } from './answers/endpoints.service.js';
import { SETTINGS, type ApiSettings } from './api.config.js';
import { BlocksModule } from './blocks/blocks.module.js';
import { ChainTracker } from './chain/chain-tracker.service.js';
import { RateLimit } from './clients/rate-limit.service.js';
import type { Database } from './database/connect-database.js';
import { DatabaseModule } from './database/database.module.js';
import { DelegatesModule } from './delegates/delegates.module.js';
import { CoreV1Gate } from './core-v1/core-v1-gate.service.js';
import { CoreV1Module } from './core-v1/core-v1.module.js';
import { EventsModule } from './events/events.module.js';
import { Places } from './clients/places.service.js';
import { ProblemFilter } from './http/problem.filter.js';
import { RequestGate } from './http/request-gate.service.js';
import { Responder } from './http/responder.service.js';
import { StreamedAnswers } from './http/streamed-answers.service.js';
import { HistoryModule } from './history/history.module.js';
import { LoaderModule } from './loader/loader.module.js';
import { LiveMetrics } from './operations/live-metrics.service.js';
import { Metrics } from './operations/metrics.service.js';
import { OperationsServer } from './operations/operations.server.js';
import { PageModule } from './page/page.module.js';
import { Readiness } from './operations/readiness.service.js';
import { Shutdown } from './operations/shutdown.service.js';
import { SlowLog } from './operations/slow-log.service.js';
import { SearchModule } from './search/search.module.js';
import { SignaturesModule } from './signatures/signatures.module.js';
import { StatusModule } from './status/status.module.js';
import { TransactionsModule } from './transactions/transactions.module.js';

const shared = [
  ChainTracker,
  AnswerCache,
  AnswersService,
  AnswerRenewal,
  Responder,
  Metrics,
  Shutdown,
  SlowLog,
  Places,
];

@Global()
@Module({
  imports: [
    SignaturesModule,
    LoaderModule,
    BlocksModule,
    DelegatesModule,
    CoreV1Module,
    TransactionsModule,
    AccountsModule,
    HistoryModule,
    SearchModule,
    StatusModule,
    EventsModule,
    PageModule,
    DiscoveryModule,
  ],
  providers: [
    ...shared,
    RateLimit,
    Endpoints,
    RequestGate,
    CoreV1Gate,
    StreamedAnswers,
    ProblemFilter,
    Readiness,
    LiveMetrics,
    OperationsServer,
  ],
  exports: shared,
})
export class AppModule {
  static with(settings: ApiSettings, logger: Logger, database: Database): DynamicModule {
    const values = [
      { provide: SETTINGS, useValue: settings },
      { provide: LOGGER, useValue: logger },
    ];
    return {
      module: AppModule,
      imports: [DatabaseModule.with(database)],
      providers: values,
      exports: values,
    };
  }
}
