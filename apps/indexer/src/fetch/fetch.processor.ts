import { Processor } from '@nestjs/bullmq';
import { Inject, type BeforeApplicationShutdown, type OnApplicationBootstrap } from '@nestjs/common';
import { InvalidBlockError } from '@roundhouse/chain';
import {
  QueueName,
  refusedPauseMs,
  StoppableProcessor,
  WORKER_OPTIONS,
  type FetchJob,
} from '@roundhouse/jobs';
import { LOGGER } from '@roundhouse/logging';
import { NodeProtocolError, NodeUnavailableError } from '@roundhouse/source';
import { UnrecoverableError } from 'bullmq';
import type { Logger } from 'pino';
import { adviceFor, withAdvice } from '../database/database-trouble.js';
import { SETTINGS, type IndexerSettings } from '../indexer.config.js';
import { saySometimes } from '../logging/say-sometimes.js';
import { logWorkerErrors } from '../logging/worker-errors.js';
import { Metrics } from '../operations/metrics.service.js';
import { Obstacles } from '../operations/obstacles.service.js';
import { Stopping } from '../stopping.service.js';
import { FetchService } from './fetch.service.js';

@Processor(QueueName.Fetch, WORKER_OPTIONS)
export class FetchProcessor
  extends StoppableProcessor<FetchJob>
  implements OnApplicationBootstrap, BeforeApplicationShutdown
{
  private readonly sayTrouble = saySometimes((reason) =>
    this.logger.error(
      { reason },
      'the database does not accept the fetched blocks; trying again, nothing is lost',
    ),
  );
  private readonly saySourceless = saySometimes((reason) =>
    this.logger.warn({ reason }, 'the source returns no blocks now; trying again'),
  );
  private readonly sayFailed = saySometimes((reason) =>
    this.logger.error({ reason }, 'blocks could not be fetched and staged; trying again'),
  );

  constructor(
    @Inject(SETTINGS) private readonly settings: IndexerSettings,
    @Inject(LOGGER) private readonly logger: Logger,
    private readonly fetches: FetchService,
    private readonly metrics: Metrics,
    private readonly obstacles: Obstacles,
    private readonly stopping: Stopping,
  ) {
    super();
  }

  onApplicationBootstrap(): void {
    this.worker.concurrency = this.settings.FETCH_CONCURRENCY;
    logWorkerErrors(this.worker, this.logger);
  }

  /** Must run before Nest closes the queues: a job that is still running would wait forever on a closed one. */
  beforeApplicationShutdown(): Promise<void> {
    return this.stopping.step('giving back fetch jobs', () => this.stop());
  }

  async work(range: FetchJob): Promise<void> {
    const { from, to } = range;
    try {
      const outcome = await this.fetches.fetch(range);
      this.obstacles.clear('fetching');
      this.logger.debug({ from, to, outcome }, 'fetched a range');
    } catch (error) {
      throw this.translate(error as Error, range);
    }
  }

  /** An error that the node has to fix is not retried at once; any other is, with backoff. */
  private translate(error: Error, { from, to, refusals = 0 }: FetchJob): Error {
    this.metrics.countSourceError(error);
    if (error instanceof NodeProtocolError || error instanceof InvalidBlockError) {
      const againInSeconds = refusedPauseMs(refusals + 1) / 1_000;
      this.logger.error(
        { from, to, reason: error.message, times: refusals + 1, againInSeconds },
        'the source returned blocks that cannot be right; nothing of them is stored',
      );
      return new UnrecoverableError(error.message);
    }
    const reason = withAdvice(error);
    this.obstacles.note('fetching', reason);
    this.voiceFor(error)(new Error(reason));
    this.logger.debug({ from, to, reason: error.message }, 'a fetch failed; trying again');
    return error;
  }

  private voiceFor(error: Error): (error: Error) => void {
    if (error instanceof NodeUnavailableError) return this.saySourceless;
    return adviceFor(error) === null ? this.sayFailed : this.sayTrouble;
  }
}
