import { Global, Module, type DynamicModule } from '@nestjs/common';
import { LOGGER } from '@roundhouse/logging';
import { loadAssets } from '@roundhouse/web';
import type { Logger } from 'pino';
import { AccountsController } from './accounts/accounts.controller.js';
import { ProofsService } from './accounts/proofs.service.js';
import { StatementsService } from './accounts/statements.service.js';
import { AnswerCache } from './answers/answer-cache.service.js';
import { AnswerRenewal } from './answers/answer-renewal.service.js';
import { AnswersService } from './answers/answers.service.js';
import { AnswerSender } from './answers/kept.decorator.js';
import { ForeignParts } from './answers/foreign-parts.js';
import { ParametersPipe } from './answers/parameters.pipe.js';
import { StreamedAnswers } from './answers/streamed-answers.service.js';
import { SETTINGS, type ApiSettings } from './api.config.js';
import { BlocksController } from './blocks/blocks.controller.js';
import { ChainConstantsController, SignaturesController } from './blocks/chain-constants.controller.js';
import { ChainTracker } from './chain/chain-tracker.service.js';
import { RateLimit } from './limits/rate-limit.service.js';
import type { Database } from './database/connect-database.js';
import { DatabaseModule } from './database/database.module.js';
import { DelegatesController } from './delegates/delegates.controller.js';
import { CoreV1Module } from './core-v1/core-v1.module.js';
import { CoreV2Module } from './core-v2/core-v2.module.js';
import { NextForgersService } from './delegates/next-forgers.service.js';
import { EventLog } from './events/event-log.service.js';
import { EventStreams } from './events/event-streams.service.js';
import { EventsController } from './events/events.controller.js';
import { Places } from './limits/places.service.js';
import { Door } from './http/door.service.js';
import { ProblemFilter } from './http/problem.filter.js';
import { HistoryController } from './history/history.controller.js';
import { PayoutsService } from './history/payouts.service.js';
import { SeriesService } from './history/series.service.js';
import { LoaderController } from './loader/loader.controller.js';
import { LiveMetrics } from './operations/live-metrics.service.js';
import { Metrics } from './operations/metrics.service.js';
import { OwnAnswers } from './page/own-answers.service.js';
import { WEB_ASSETS } from './page/page-files.js';
import { PageController } from './page/page.controller.js';
import { Renderings } from './page/renderings.service.js';
import { TroubleFilter } from './page/trouble.filter.js';
import { Readiness } from './operations/readiness.service.js';
import { Shutdown } from './operations/shutdown.service.js';
import { SearchController } from './search/search.controller.js';
import { SearchService } from './search/search.service.js';
import { StatisticsController } from './statistics/statistics.controller.js';
import { StatisticsService } from './statistics/statistics.service.js';
import { StatusController } from './status/status.controller.js';
import { StatusService } from './status/status.service.js';
import { TransactionsController } from './transactions/transactions.controller.js';
import { TransactionsService } from './transactions/transactions.service.js';

const shared = [
  ChainTracker,
  AnswerCache,
  AnswersService,
  AnswerRenewal,
  StreamedAnswers,
  ForeignParts,
  AnswerSender,
  Door,
  Metrics,
  Shutdown,
  Places,
  NextForgersService,
];

@Global()
@Module({
  imports: [CoreV1Module, CoreV2Module],
  controllers: [
    SignaturesController,
    LoaderController,
    BlocksController,
    ChainConstantsController,
    TransactionsController,
    DelegatesController,
    AccountsController,
    HistoryController,
    SearchController,
    StatisticsController,
    StatusController,
    EventsController,
    PageController,
  ],
  providers: [
    ...shared,
    RateLimit,
    ParametersPipe,
    ProblemFilter,
    Readiness,
    LiveMetrics,
    TransactionsService,
    StatementsService,
    ProofsService,
    PayoutsService,
    SeriesService,
    StatisticsService,
    SearchService,
    StatusService,
    EventLog,
    EventStreams,
    OwnAnswers,
    Renderings,
    TroubleFilter,
    { provide: WEB_ASSETS, useFactory: loadAssets },
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
