import { Module, type DynamicModule } from '@nestjs/common';
import type { Network } from '@roundhouse/chain';
import { JobsModule, type QueueBackend } from '@roundhouse/jobs';
import { LOGGER } from '@roundhouse/logging';
import { operationsControllers, ReadinessCheck, ScrapedMetrics } from '@roundhouse/operations';
import type { BlockSource } from '@roundhouse/source';
import { Pool } from 'pg';
import type { Logger } from 'pino';
import { ApplyWorker, FetchWorker, FollowWorker } from './workers.js';
import { ApplyRunner } from './apply/apply-runner.service.js';
import { ListIndexes } from './apply/list-indexes.service.js';
import { ProgressLog } from './apply/progress-log.js';
import { FetchRefusals } from './fetch/fetch-refusals.service.js';
import { FetchService } from './fetch/fetch.service.js';
import { FollowService } from './follow/follow.service.js';
import { Heartbeat } from './follow/heartbeat.service.js';
import { CurrentNetwork, LAST_HEIGHT, PositionService } from './follow/current-state.js';
import { RangeSizer } from './follow/range-sizer.js';
import { Standstill } from './follow/standstill.js';
import { SourceWatch } from './follow/source-watch.js';
import { ForkFollower } from './fork/fork-follower.service.js';
import { ForkService } from './fork/fork.service.js';
import { EndWatch } from './frozen/end-watch.service.js';
import { HaltService } from './halt.service.js';
import { JobFailures } from './job-failures.service.js';
import { SETTINGS, SOURCE, type IndexerSettings } from './indexer.config.js';
import { LeaderService } from './leader/leader.service.js';
import { ReaderWatchdog } from './leader/reader-watchdog.service.js';
import { StandstillWatch } from './leader/standstill-watch.service.js';
import { Refusals } from './apply/refusals.service.js';
import { Setbacks } from './apply/setbacks.service.js';
import { BulkBlocks } from './bulk/bulk-blocks.service.js';
import { NETWORK } from './network/network-guard.js';
import { Metrics } from './operations/metrics.service.js';
import { LiveMetrics } from './operations/live-metrics.service.js';
import { Obstacles } from './operations/obstacles.service.js';
import { Readiness } from './operations/readiness.service.js';
import { SourcePauses } from './operations/source-pauses.js';
import { Verifier } from './verify/verifier.service.js';
import { DeliverWorker } from './webhooks/deliver.worker.js';
import { Deliveries } from './webhooks/deliveries.service.js';
import { WebhookController } from './webhook/webhook.controller.js';
import { Stopping } from './stopping.service.js';

/** Opened and checked before the application starts, and closed after it. */
export interface IndexerResources {
  readonly settings: IndexerSettings;
  readonly logger: Logger;
  readonly pool: Pool;
  readonly source: BlockSource;
  readonly network: Network;
  readonly currentNetwork: CurrentNetwork;
  readonly backend: QueueBackend;
  readonly metrics: Metrics;
  readonly pauses: SourcePauses;
  readonly stopping: Stopping;
  /** Blocks above it are not indexed; null if there is no such limit. */
  readonly lastHeight: number | null;
}

@Module({})
export class IndexerModule {
  static with(open: IndexerResources): DynamicModule {
    const provided = [
      [SETTINGS, open.settings],
      [LOGGER, open.logger],
      [Pool, open.pool],
      [SOURCE, open.source],
      [NETWORK, open.network],
      [CurrentNetwork, open.currentNetwork],
      [Metrics, open.metrics],
      [ScrapedMetrics, open.metrics],
      [SourcePauses, open.pauses],
      [Stopping, open.stopping],
      [LAST_HEIGHT, open.lastHeight],
    ] as const;
    return {
      module: IndexerModule,
      imports: [JobsModule.on(open.backend, open.network.nethash)],
      controllers: [...operationsControllers, WebhookController],
      providers: [
        ...provided.map(([provide, useValue]) => ({ provide, useValue })),
        { provide: ReadinessCheck, useClass: Readiness },
        HaltService,
        JobFailures,
        PositionService,
        SourceWatch,
        RangeSizer,
        FollowService,
        FollowWorker,
        Standstill,
        Heartbeat,
        FetchRefusals,
        FetchService,
        FetchWorker,
        ForkService,
        ForkFollower,
        BulkBlocks,
        Refusals,
        Setbacks,
        ProgressLog,
        ListIndexes,
        ApplyRunner,
        ApplyWorker,
        Verifier,
        Deliveries,
        DeliverWorker,
        LeaderService,
        ReaderWatchdog,
        StandstillWatch,
        EndWatch,
        Obstacles,
        LiveMetrics,
      ],
    };
  }
}
